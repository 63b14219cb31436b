// One mark on a page and how it travels: points as differences, in few bytes.

export const LONGEST_BODY = 8_000; // characters; a frame of the server holds 16 KiB
const HARDEST = 4_095; // 12 bits of pressure

/** Points {x, y, pressure (0 to 1)} as base64: differences in x and y, zigzag, and the pressure, all as varints. */
export function encode(points) {
    const bytes = [];
    let x = 0, y = 0;
    for (const point of points) {
        varint(bytes, zigzag(point.x - x));
        varint(bytes, zigzag(point.y - y));
        varint(bytes, Math.round(Math.max(0, Math.min(1, point.pressure)) * HARDEST));
        ({ x, y } = point);
    }
    return btoa(String.fromCharCode(...bytes));
}

/** The points of a body; none if it is damaged. */
export function decode(body) {
    const points = [];
    try {
        const bytes = Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
        let index = 0, x = 0, y = 0;
        const next = () => {
            let value = 0, shift = 0, byte;
            do {
                byte = bytes[index];
                index += 1;
                value |= (byte & 127) << shift;
                shift += 7;
            } while (byte & 128 && shift < 28);
            return value;
        };
        while (index < bytes.length) {
            x += unzigzag(next());
            y += unzigzag(next());
            points.push({ x, y, pressure: next() / HARDEST });
        }
    } catch { return []; }
    return points.every((point) => Number.isFinite(point.x + point.y + point.pressure)) ? points : [];
}

/** A text's body: "x,y,words". */
export function encodeText(x, y, text) {
    return `${x},${y},${text}`.slice(0, LONGEST_BODY);
}

export function decodeText(body) {
    const found = /^(\d+),(\d+),([^]*)$/.exec(body);
    return found ? { x: Number(found[1]), y: Number(found[2]), text: found[3] } : null;
}

function zigzag(value) {
    return value < 0 ? -2 * value - 1 : 2 * value;
}

function unzigzag(value) {
    return value & 1 ? -(value + 1) / 2 : value / 2;
}

function varint(bytes, value) {
    while (value > 127) {
        bytes.push((value & 127) | 128);
        value >>>= 7;
    }
    bytes.push(value);
}
