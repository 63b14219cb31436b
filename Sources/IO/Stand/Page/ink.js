// Marks drawn on a page's canvas.

import { FULL } from './score.js';
import { decode, decodeText } from './stroke.js';

const MARKER = 0.35; // opacity: the notes below stay black
const SHARPEST = 2; // canvas pixels to a CSS pixel: more costs memory and shows nothing
const TEXT = 0.022; // of the page's width: a little larger than printed text
const NEAR = FULL / 60; // how near an eraser must come

/** Draws `strokes` of the layers that are seen. `isDark`: the page is, so black ink is drawn white. */
export function paint(sheet, strokes, layers, isDark) {
    const scale = Math.min(devicePixelRatio, SHARPEST);
    const width = Math.round(sheet.width * scale), height = Math.round(sheet.height * scale);
    if (sheet.ink.width !== width || sheet.ink.height !== height) Object.assign(sheet.ink, { width, height });
    const context = sheet.ink.getContext('2d');
    context.clearRect(0, 0, width, height);
    for (const stroke of strokes) if (layers[stroke.layer] ?? true) trace(context, stroke, width, height, isDark);
}

/** Draws one stroke; `points` of one that is still being drawn. */
export function trace(context, stroke, width, height, isDark, points) {
    const colour = isDark && stroke.colour === '#1a1a1a' ? '#f2f2f2' : stroke.colour;
    context.save();
    Object.assign(context, { strokeStyle: colour, fillStyle: colour, lineCap: 'round', lineJoin: 'round' });
    const thick = stroke.width / FULL * width;
    if (stroke.kind === 'text') {
        const text = decodeText(stroke.body);
        context.font = `600 ${TEXT * width}px system-ui, sans-serif`;
        if (text) context.fillText(text.text, text.x / FULL * width, text.y / FULL * height);
    } else if (stroke.kind === 'marker') {
        context.globalAlpha = MARKER;
        context.lineWidth = thick;
        line(context, points ?? decode(stroke.body), width, height);
        context.stroke();
    } else {
        const all = points ?? decode(stroke.body);
        for (let index = 0; index < Math.max(1, all.length - 1); index += 1) {
            const pair = all.slice(index, index + 2);
            if (!pair.length) break;
            context.lineWidth = thick * (0.4 + 1.2 * pair.at(-1).pressure);
            line(context, pair, width, height);
            context.stroke();
        }
    }
    context.restore();
}

/** Whether a stroke passes near a place. */
export function isNear(stroke, x, y, aspect) {
    if (stroke.kind === 'text') {
        const text = decodeText(stroke.body), long = TEXT * FULL * 0.6 * (text?.text.length ?? 0);
        return text && x > text.x - NEAR && x < text.x + long + NEAR && Math.abs(y - text.y) < 2 * NEAR;
    }
    const points = decode(stroke.body);
    return points.some((point, index) => {
        const next = points[index + 1] ?? point;
        const dx = next.x - point.x, dy = (next.y - point.y) * aspect, px = x - point.x, py = (y - point.y) * aspect;
        const part = Math.max(0, Math.min(1, (px * dx + py * dy) / (dx * dx + dy * dy || 1)));
        return Math.hypot(px - part * dx, py - part * dy) < NEAR + stroke.width / 2;
    });
}

function line(context, points, width, height) {
    context.beginPath();
    points.forEach(({ x, y }, index) => {
        const across = x / FULL * width, down = y / FULL * height;
        if (index === 0) context.moveTo(across, down); else context.lineTo(across, down);
    });
    if (points.length === 1) context.lineTo(points[0].x / FULL * width + 0.1, points[0].y / FULL * height);
}
