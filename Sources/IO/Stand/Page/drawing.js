// Bars drawn above a page, for a look.

import { FULL } from './score.js';

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** The systems and bars of a page, with their numbers, above its picture. */
export function drawing(sheet, score) {
    const viewBox = `0 0 ${FULL} ${Math.round(FULL * sheet.aspect)}`;
    const root = shape('svg', { class: 'bars', viewBox, 'aria-hidden': 'true' });
    const y = (value) => Math.round(value * sheet.aspect);
    for (const system of score.systems.filter((each) => each.page === sheet.page)) {
        const { x0, x1, isDoubtful } = system, top = y(system.y0), tall = y(system.y1) - top;
        const kind = isDoubtful ? 'system doubtful' : 'system';
        root.append(shape('rect', { class: kind, x: x0, y: top, width: x1 - x0, height: tall, rx: 300 }));
        const bars = score.bars.filter((bar) => bar.system === system);
        for (const bar of bars) {
            root.append(shape('line', { x1: bar.x1, x2: bar.x1, y1: top - 500, y2: top + tall + 500 }));
            root.append(label(bar.x0 + 250, top - 350, String(bar.number)));
        }
        if (isDoubtful) root.append(label(x1 - 6_500, top + tall + 1_500, 'please look'));
    }
    return root;
}

function shape(name, attributes) {
    const element = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
}

function label(x, y, text) {
    const element = shape('text', { x, y });
    element.textContent = text;
    return element;
}
