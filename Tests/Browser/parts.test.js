// Parts of the page that touch its elements, with a document that is none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTime, newDocument, newLink, vibrations } from './document.js';
import { Bars } from '../../Sources/IO/Stand/Page/bars.js';
import { Changes } from '../../Sources/IO/Stand/Page/changes.js';
import { Commands } from '../../Sources/IO/Stand/Page/commands.js';
import { Controls } from '../../Sources/IO/Stand/Page/controls.js';
import { Course } from '../../Sources/IO/Stand/Page/course.js';
import { Library } from '../../Sources/IO/Stand/Page/library.js';
import { Link } from '../../Sources/IO/Stand/Page/link.js';
import { bindSettings } from '../../Sources/IO/Stand/Page/panels.js';
import { Score } from '../../Sources/IO/Stand/Page/score.js';
import { settings } from '../../Sources/IO/Stand/Page/settings.js';
import { Sheets } from '../../Sources/IO/Stand/Page/sheets.js';
import { Shown } from '../../Sources/IO/Stand/Page/shown.js';
import { Vibration } from '../../Sources/IO/Stand/Page/vibration.js';

// --- The controls.

/** Controls while a metronome runs at 60; `given` are the tempos that they ask for. */
function controls(isRunning = true) {
    const find = newDocument(), given = [];
    const parts = new Controls({ give: (_, { value }) => given.push(value) });
    parts.update({ isRunning, bpm: 60 });
    parts.tempo = 60;
    return { find, given, parts };
}

test('each press of a tempo button counts, though the sounding tempo is drawn in between', () => {
    const { find, given, parts } = controls();
    for (let press = 0; press < 6; press += 1) {
        find('faster').fire('pointerdown');
        find('faster').fire('pointerup');
        // The course is told at once, the beat that sounds is still the old one.
        parts.update({ isRunning: true, bpm: 61 + press });
        for (let frame = 0; frame < 5; frame += 1) parts.tempo = 60;
        assert.equal(find('bpm').value, String(61 + press));
    }
    assert.deepEqual(given, [61, 62, 63, 64, 65, 66]);
    parts.tempo = 66;
    assert.equal(find('bpm').value, '66');
    parts.tempo = 70;
    assert.equal(find('bpm').value, '70', 'what somebody else sets is shown');
});

test('a tempo that is typed reaches as far as the metronome does', () => {
    const { find, given } = controls();
    for (const typed of ['500', '97,3', '1', '2000', '0.2', '100/3', '100/', '/3', '1/2/3', '100/0']) {
        find('bpm').value = typed;
        find('bpm').fire('change');
    }
    assert.deepEqual(given, [500, 97.3, 1, 1_000, 1, 100 / 3]);
});

test('the section that sounds is shown, and can be chosen again', () => {
    const { find, given, parts } = controls();
    parts.parts = [{ label: 'A', bar: 1 }, { label: 'B', bar: 5 }, { label: 'A', bar: 9 }];
    assert.equal(find('section').children.length, 2, 'each label once');
    const seen = [-1, 1, 4, 5, 8, 9, 40].map((bar) => {
        parts.sounding = bar;
        return find('section').value;
    });
    assert.deepEqual(seen, ['', 'A', 'A', 'B', 'B', 'A', 'A']);
    find('section').fire('focus');
    assert.equal(find('section').value, '', 'A would be no change');
    find('section').value = 'A';
    find('section').fire('change');
    assert.deepEqual(given, ['A']);
    find('section').fire('blur');
    assert.equal(find('section').value, 'A');
});

test('a tempo that never comes is not shown for long', (context) => {
    const { find, parts } = controls();
    let now = 1_000;
    context.mock.method(performance, 'now', () => now);
    find('faster').fire('pointerdown');
    find('faster').fire('pointerup');
    now += 1_900;
    parts.tempo = 60;
    assert.equal(find('bpm').value, '61');
    now += 200;
    parts.tempo = 60;
    assert.equal(find('bpm').value, '60');
});

test('words in place of a tempo leave the tempo that is, while it runs and while it does not', () => {
    for (const isRunning of [true, false]) {
        const { find, given } = controls(isRunning);
        find('bpm').focus();
        find('bpm').value = 'abc';
        find('bpm').fire('change');
        assert.deepEqual([find('bpm').value, given], ['60', []]);
        find('bpm').value = '96,5';
        find('bpm').fire('change');
        assert.deepEqual([find('bpm').value, given], ['96.5', [96.5]]);
    }
});

// --- Vibration.

const CLOCK = { isSet: true, serverTime: (time) => time, localTime: (time) => time };

for (const [bpm, of] of [[150, 1], [120, 1], [400, 1], [260, 2], [240, 2], [120, 4], [400, 4], [60, 4]]) {
    test(`each bar is felt once, on its beat, at ${bpm} in ${of}, also where the course is renewed`, async (context) => {
        await inTime(context, async (wait) => {
            const course = new Course(), vibration = new Vibration(course, CLOCK), interval = 60_000 / bpm, bars = 20;
            const beats = (from, count) => Array.from({ length: count }, (_, index) => {
                const n = from + index;
                return { n, t: (2_000 + n * interval) * 1e6, bar: Math.floor(n / of) + 1, beat: n % of + 1, of, level: 1, bpm };
            });
            vibration.isOn = true;
            vibrations.length = 0;
            course.update({ revision: 1, isRunning: true, beats: beats(0, bars * of) }, 0);
            for (let past = 0; past < 1_000 + (bars - 0.5) * of * interval; past += 100) {
                if (past === 1_500) course.update({ revision: 1, isRunning: true, beats: beats(8, bars * of) }, 0);
                vibration.plan();
                await wait(100);
            }
            vibration.stop();
            const felt = vibrations.filter(([, pattern]) => pattern);
            felt.forEach(([at], bar) => assert.ok(Math.abs(at + 20 - 2_000 - bar * of * interval) < 0.1, `bar ${bar + 1}`));
            assert.ok(felt.length >= bars);
        });
    });
}

test('what was planned by an old course is not felt', async (context) => {
    await inTime(context, async (wait) => {
        const course = new Course(), vibration = new Vibration(course, CLOCK);
        const beats = (from) => [0, 1, 2].map((n) => ({ n, t: (from + n * 150) * 1e6, bar: n + 1, beat: 1, of: 1, level: 1, bpm: 400 }));
        vibration.isOn = true;
        vibrations.length = 0;
        course.update({ revision: 1, isRunning: true, beats: beats(1_200) }, 1_000);
        vibration.plan();
        course.update({ revision: 2, isRunning: true, beats: beats(1_275) }, 1_000);
        vibration.plan();
        await wait(330);
        assert.deepEqual(vibrations.map(([at]) => Math.round(at + 20)), [1_275]);
        vibration.stop();
        vibrations.length = 0;
        await wait(1_000);
        assert.deepEqual(vibrations, []);
    });
});

// --- The connection.

/** A server that lets a connection in, or answers its requests with a status, or is not there; `asked` counts both. */
function server(context) {
    const state = { status: 200, isThere: true, asked: 0, open: [] };
    context.mock.method(globalThis, 'fetch', async () => {
        if (!state.isThere) throw new Error('refused');
        state.asked += 1;
        return { status: state.status };
    });
    globalThis.WebSocket = class {
        static OPEN = 1;
        readyState = 0;

        constructor() {
            setTimeout(() => {
                state.asked += state.isThere ? 1 : 0;
                if (!state.isThere || state.status !== 200) return this.onclose?.({ code: 1006 });
                this.readyState = 1;
                state.open.push(this);
                this.onopen();
                this.onmessage({ data: '{"type":"welcome"}' });
            }, 1);
        }

        send() {}
        close() {}
    };
    return state;
}

test('a key that is wrong is said, and tried again twice a minute; with the right one the page is back', async (context) => {
    await inTime(context, async (wait) => {
        newDocument();
        const state = server(context), link = new Link({ add() {} }), told = [];
        for (const type of ['open', 'close', 'locked']) link.on(type, () => told.push(type));
        link.connect();
        await wait(10);
        assert.deepEqual(told, ['open']);
        // The server restarts with another key.
        state.isThere = false;
        state.open.pop().onclose({ code: 1006 });
        await wait(2_000);
        state.isThere = true;
        for (const status of [401, 429]) {
            state.status = status;
            state.asked = 0;
            await wait(60_000);
            assert.ok(state.asked >= 1 && state.asked <= 4, `${state.asked} requests in a minute`);
            assert.deepEqual(told, ['open', 'close', 'locked'], 'said once');
        }
        state.status = 200;
        await wait(31_000);
        assert.deepEqual([told.at(-1), link.isOpen], ['open', true]);
    });
});

test('a server that was away for a while is found within a second', async (context) => {
    await inTime(context, async (wait) => {
        newDocument();
        const state = server(context), link = new Link({ add() {} }), told = [];
        link.on('locked', () => told.push('locked'));
        state.isThere = false;
        link.connect();
        await wait(100_000);
        assert.equal(link.isOpen, false);
        state.isThere = true;
        await wait(1_100);
        assert.deepEqual([link.isOpen, told], [true, []]);
    });
});

test('what was asked for without a connection is said to have had no effect, once it has had none', async (context) => {
    await inTime(context, async (wait) => {
        newDocument();
        const link = newLink(), told = [], commands = new Commands(link, { isSet: true, serverTime: (time) => time });
        commands.onRefusal = ({ problem }) => told.push(problem);
        // The server is gone, and nobody has noticed yet.
        commands.give('stop');
        await wait(2_000);
        link.isOpen = false;
        await wait(10_000);
        assert.deepEqual([link.sent.length, told.length], [1, 1]);
        assert.match(told[0], /no effect/);
        // One that is answered, and one that waits for a bar which has not come, have nothing to say.
        link.isOpen = true;
        commands.give('start');
        link.tell('done', { id: link.sent.at(-1).id });
        commands.give('jump', { when: 'bar', value: 3 });
        await wait(10_000);
        assert.equal(told.length, 1);
    });
});

// --- The score that is shown.

/** What a page shows, with a library of the scores `ids`; `asked` are the scores that the server was asked for. */
function shownOf(ids) {
    newDocument();
    settings.set('score', null);
    const link = newLink(), library = new Library(() => {});
    library.update({ scores: ids.map((id) => ({ id, title: id, pages: 1 })) });
    const shown = new Shown(link, library);
    const take = (id) => shown.take({ id, title: id, pages: [], systems: [] });
    return { shown, library, link, take, asked: () => link.sent.splice(0).map(({ score }) => score) };
}

test('an entry without a score shows none, rather than that of the last one', () => {
    const { shown, library, take, asked } = shownOf(['a', 'b', 'c']);
    shown.choose('b');
    assert.deepEqual(asked(), ['b']);
    assert.equal(take('b').id, 'b');
    assert.equal(shown.follow({ score: 'b' }).isMissing, false);
    assert.equal(shown.follow({ missing: 'Blackbird' }).isMissing, true);
    assert.equal(shown.score, null);
    // Told again, and after the network was gone: no other score comes by itself.
    assert.equal(shown.follow({ missing: 'Blackbird' }).isMissing, false);
    assert.equal(shown.choose(undefined), undefined);
    assert.equal(take('b'), null, 'an answer that was on its way');
    assert.deepEqual(asked(), []);
    // A player may still open one, which stays until another entry plays.
    shown.open('c');
    assert.equal(take('c').id, 'c');
    assert.equal(shown.choose(undefined), 'c');
    shown.follow({ missing: 'Blackbird' });
    assert.deepEqual([shown.score.id, asked()], ['c', ['c', 'c']], 'the second time for the new connection');
    // Its file is there now.
    library.update({ scores: [{ id: 'd', title: 'Blackbird', pages: 1 }] });
    shown.follow({ score: 'd' });
    assert.deepEqual(asked(), ['d']);
});

test('a page that opens while an entry without a score plays shows none', () => {
    const { shown, take, asked } = shownOf(['a']);
    shown.choose(undefined);
    assert.deepEqual(asked(), ['a'], 'not told yet that it lacks one');
    assert.equal(shown.follow({ missing: 'Blackbird' }).isMissing, true);
    assert.equal(take('a'), null);
});

test('a tablet that was away while the others went on to another piece goes there too', () => {
    const { shown, take, asked } = shownOf(['a', 'b']);
    shown.choose('a');
    take('a');
    shown.follow({ score: 'a' });
    assert.equal(shown.choose('b'), 'b');
    assert.deepEqual(asked(), ['a', 'b']);
});

test('after each new connection the score that is shown is asked for again: the server does not know who shows it', () => {
    const { shown, library, link, take, asked } = shownOf(['a', 'b']);
    const reconnect = () => {
        link.isOpen = false;
        link.tell('close', {});
        link.isOpen = true;
    };
    shown.choose(undefined);
    take('a');
    assert.deepEqual([asked(), shown.isOpen], [['a'], true]);
    reconnect();
    assert.equal(shown.isOpen, false);
    shown.choose(undefined);
    assert.deepEqual([asked(), shown.isOpen], [['a'], true]);
    // A server that has not read its folder yet: the page stays, and asks when the score is there.
    reconnect();
    library.update({ scores: [{ id: 'b', title: 'b', pages: 1 }], leftOut: { files: [], further: 0, unread: 0, coming: 1 } });
    assert.equal(shown.choose(undefined), 'a');
    assert.deepEqual([asked(), shown.isOpen, shown.replace()], [[], false, null]);
    library.update({ scores: ['a', 'b'].map((id) => ({ id, title: id, pages: 1 })) });
    shown.choose();
    assert.deepEqual(asked(), ['a']);
});

test('a score that is chosen without a connection opens when there is one', () => {
    const { shown, link, take, asked } = shownOf(['a', 'b']);
    shown.choose(undefined);
    take('a');
    asked();
    link.isOpen = false;
    link.tell('close', {});
    assert.equal(shown.open('b'), false);
    link.isOpen = true;
    shown.choose(undefined);
    assert.deepEqual([asked(), take('b')?.id], [['b'], 'b']);
});

test('a score whose file was written anew gives way to the file of its name, and one whose file is gone is told of once', () => {
    const { shown, library, take, asked } = shownOf(['a', 'b']);
    const folder = (...scores) => library.update({
        scores: scores.map(([id, title]) => ({ id, title, pages: 1 })), leftOut: { files: [], further: 0, unread: 0, coming: 0 },
    });
    shown.choose(undefined);
    take('a');
    asked();
    folder(['b', 'b']);
    assert.deepEqual([shown.replace(), shown.replace(), asked()], [{ title: 'a', other: null }, null, []]);
    assert.equal(shown.choose(undefined), 'a', 'no other piece in its place');
    folder(['b', 'b'], ['c', 'a']);
    assert.deepEqual([shown.replace(), asked()], [{ title: 'a', other: 'c' }, ['c']]);
    assert.equal(take('c').id, 'c');
    assert.equal(shown.replace(), null);
});

// --- What was corrected.

/** A browser's store, and a server that keeps what it is sent: `kept` are the messages; `answers` whether it says so. */
function desk() {
    newDocument();
    globalThis.localStorage = Object.create({
        getItem(key) { return this[key] ?? null; }, setItem(key, value) { this[key] = value; }, removeItem(key) { delete this[key]; },
    });
    const kept = [];
    return {
        kept,
        /** A page with a connection of its own; `answer(message)` is what the server does. */
        page(answer = (link, { id, ...message }) => {
            kept.push(message);
            link.tell('done', { id });
        }) {
            const link = newLink(), send = link.send;
            link.send = function (message) {
                const isSent = send.call(link, message);
                if (isSent) setTimeout(() => link.isOpen && answer(link, message), 1);
                return isSent;
            };
            const changes = new Changes(link), waits = [];
            changes.onWait = () => waits.push('waits');
            changes.onLoss = () => waits.push('lost');
            changes.onRefusal = (message) => waits.push(`refused ${message.page}`);
            const leave = (news = {}) => {
                link.isOpen = false;
                link.tell('close', news);
            };
            const come = () => {
                link.isOpen = true;
                link.tell('open');
            };
            return { link, changes, waits, leave, come };
        },
    };
}

const page = (number, bars = []) => ({ type: 'bars', score: 's', page: number, systems: bars, accepted: true });
const order = (text) => ({ type: 'order', score: 's', text, first: 1 });

test('what is corrected without a connection is said to wait, is sent in order when there is one, and is sent once', async (context) => {
    await inTime(context, async (wait) => {
        const { kept, page: open } = desk(), { changes, waits, leave, come } = open();
        leave();
        for (const message of [page(1), page(2), order('1-4'), page(1, ['other']), order('1-8')]) changes.send(message);
        assert.deepEqual([changes.waiting, waits.length], [3, 5], 'the last word on a thing is enough');
        await wait(5_000);
        assert.deepEqual(kept, []);
        come();
        await wait(1_000);
        assert.deepEqual([kept, changes.waiting], [[page(2), page(1, ['other']), order('1-8')], 0]);
        leave();
        come();
        await wait(1_000);
        assert.equal(kept.length, 3);
    });
});

test('what is corrected outlives a closed page, and a server that dies before it has kept it', async (context) => {
    await inTime(context, async (wait) => {
        const { kept, page: open } = desk(), first = open(() => { /* dies before it answers */ });
        first.changes.send(page(1));
        first.changes.send(order('1-8'));
        await wait(1_000);
        assert.equal(first.link.sent.length, 1, 'one at a time');
        first.leave();
        const second = open();
        assert.equal(second.changes.waiting, 2);
        second.come();
        await wait(1_000);
        assert.deepEqual([kept, second.changes.waiting, open().changes.waiting], [[page(1), order('1-8')], 0, 0]);
    });
});

test('four hundred pages are sent at a tenth of the rate that the server takes, the order last, through a lost connection too', async (context) => {
    await inTime(context, async (wait) => {
        const { kept, page: open } = desk(), { link, changes, leave, come } = open();
        for (let number = 1; number <= 400; number += 1) changes.send(page(number));
        changes.send(order('1-8'));
        for (let second = 0; second < 25; second += 1) {
            const before = link.sent.length;
            await wait(1_000);
            assert.ok(link.sent.length - before <= 21, `${link.sent.length - before} in a second`);
            if (second === 10) leave();
            if (second === 12) come();
        }
        assert.deepEqual([kept.length, kept.at(-1), changes.waiting], [401, order('1-8'), 0]);
    });
});

test('a change that the server refuses or cannot read does not keep the others from it', async (context) => {
    await inTime(context, async (wait) => {
        const { kept, page: open } = desk();
        const { changes, waits, leave, come } = open((link, { id, ...message }) => {
            if (message.page === 1) link.tell('refused', { id, problem: 'no', remedy: 'no' });
            else if (message.page === 2) leave({ isUnreadable: true });
            else {
                kept.push(message);
                link.tell('done', { id });
            }
        });
        for (const number of [1, 2, 3]) changes.send(page(number));
        await wait(1_000);
        come();
        await wait(1_000);
        assert.deepEqual([kept, waits, changes.waiting], [[page(3)], ['refused 1', 'lost'], 0]);
    });
});

test('a score is shown with what the server has not heard yet, whatever else it tells of it', () => {
    const { changes } = desk().page(() => {}), system = (number, bars) => ({ page: number, x0: 0, y0: 0, x1: 9, y1: 9, staves: 1, bars });
    const served = { id: 's', order: '1-2', first: 1, accepted: false, doubts: [0, 1], systems: [system(1, [[0, 9, 'found']]), system(2, [])] };
    assert.equal(changes.over(served), served);
    const mine = { x0: 0, y0: 0, x1: 9, y1: 9, staves: 1, bars: [[0, 4, 'hand'], [4, 9, 'hand']] };
    changes.send(page(1, [mine]));
    changes.send({ ...order('5 6'), first: 5 });
    const score = new Score({ title: 's', pages: [], ...changes.over(served) });
    assert.deepEqual([score.first, score.bars.length, score.doubts, score.accepted], [5, 2, 1, true]);
    assert.equal(changes.over({ ...served, id: 't' }).first, 1, 'another score');
});

// --- Bars.

/** Two systems of four bars each, being looked at; `tap(x, y)` is in units of positions. */
function barsOf() {
    const find = newDocument(), link = newLink(), music = { position: null };
    const systems = [10_000, 40_000].map((y0) => ({
        page: 1, x0: 0, x1: 60_000, y0, y1: y0 + 10_000, staves: 1, bars: [0, 1, 2, 3].map((bar) => [bar * 15_000, (bar + 1) * 15_000, 'found']),
    }));
    const fresh = () => new Score({ id: 's', title: 's', pages: [{}], systems });
    const sheets = { score: fresh(), sheets: [], pointAt: (x, y) => ({ sheet: { page: 1 }, x, y }) };
    const bars = new Bars(sheets, { refresh: (score) => { sheets.score = score; } }, link, () => music.position);
    const counts = () => sheets.score.systems.map((system) => system.bars.length);
    bars.show(true);
    return { find, link, music, sheets, bars, counts, fresh, tap: (x, y) => bars.tap(x, y) };
}

test('leaving the correction of bars leaves them as the server has them', () => {
    const { find, link, sheets, bars, counts, fresh, tap } = barsOf();
    tap(15_000, 15_000);
    assert.deepEqual(counts(), [3, 4]);
    find('bars-cancel').fire('click');
    assert.deepEqual([counts(), bars.isOn, link.sent], [[4, 4], false, []]);
    // Somebody else has corrected them meanwhile.
    bars.show(true);
    tap(15_000, 15_000);
    const other = fresh();
    other.first = 7;
    bars.renew(other);
    assert.deepEqual(counts(), [3, 4]);
    find('bars-cancel').fire('click');
    assert.deepEqual([counts(), sheets.score.first], [[4, 4], 7]);
    // What was accepted stays.
    bars.show(true);
    tap(15_000, 15_000);
    find('bars-first').value = '1';
    find('bars-order').value = '';
    find('bars-accept').fire('click');
    assert.deepEqual([counts(), link.sent.map(({ type }) => type)], [[3, 4], ['bars', 'order']]);
});

test('only what was corrected is sent, and what others have corrected meanwhile stays', () => {
    const { find, link, sheets, bars, counts, fresh, tap } = barsOf();
    const sent = () => link.sent.splice(0).map(({ type, page: number, text, first }) => [type, number ?? text, first].join(' ').trim());
    find('bars-accept').fire('click');
    assert.deepEqual(sent(), ['bars 1'], 'one page says that all is right');
    bars.show(true);
    find('bars-accept').fire('click');
    assert.deepEqual(sent(), [], 'the server has it all');
    // Another device changes the order and the second page while this one corrects the first.
    bars.show(true);
    tap(15_000, 15_000);
    const other = fresh().changed({ order: '1-8 1-7', accepted: true });
    other.systems.push({ ...other.systems[0], page: 2 });
    bars.renew(other.changed({}));
    assert.deepEqual([counts(), sheets.score.order, find('bars-order').value], [[3, 4, 4], '1-8 1-7', '1-8 1-7']);
    find('bars-accept').fire('click');
    assert.deepEqual(sent(), ['bars 1']);
    // And what was typed here stays, though more is found.
    bars.show(true);
    find('bars-first').value = '5';
    bars.renew(fresh().changed({ accepted: true }));
    assert.equal(find('bars-first').value, '5');
    find('bars-accept').fire('click');
    assert.deepEqual([sent(), find('bars-note').textContent.slice(0, 20)], [[], 'There is no bar 1: b'], 'the bars are 5 to 12 now');
    find('bars-order').value = '5-12 5-11';
    find('bars-accept').fire('click');
    assert.deepEqual(sent(), ['order 5-12 5-11 5']);
});

test('bars are accepted whatever order was kept, as long as nobody types another one', () => {
    const { find, link, sheets, bars, counts, fresh, tap } = barsOf();
    const kept = fresh().changed({ order: '1-8 1-8', accepted: true });
    sheets.score = kept;
    bars.renew(kept.changed({}));
    tap(15_000, 15_000);
    find('bars-accept').fire('click');
    assert.deepEqual([counts(), bars.isOn, link.sent.map(({ type }) => type)], [[3, 4], false, ['bars']]);
    // The last bar stands for the one that is missing.
    assert.deepEqual(sheets.score.steps.map(({ number }) => number), [1, 2, 3, 4, 5, 6, 7, 7, 1, 2, 3, 4, 5, 6, 7, 7]);
    assert.deepEqual(fresh().changed({ order: '1-3', first: 2 }).steps.map(({ number }) => number), [2, 3]);
});

test('pages with a system that wants a look are accepted as they are', () => {
    const { find, link, sheets, bars, fresh } = barsOf();
    const doubtful = fresh().changed({ accepted: true });
    doubtful.systems[1].isDoubtful = true;
    sheets.score = doubtful;
    bars.show(true);
    find('bars-accept').fire('click');
    assert.deepEqual(link.sent.map(({ type, page: number }) => [type, number]), [['bars', 1]]);
});

for (const isStopped of [false, true]) {
    test(`systems that are tapped have the bars that were played${isStopped ? ', the metronome stopped before the end' : ''}`, () => {
        const { find, music, bars, counts, tap } = barsOf();
        const play = (bar) => {
            music.position = { bar, beat: 1, of: 4, phase: 0.1 };
            bars.follow(music.position);
        };
        play(1);
        find('bars-tap').fire('click');
        tap(100, 15_000);
        for (let bar = 1; bar <= 9; bar += 1) {
            play(bar);
            if (bar === 5) tap(100, 45_000);
        }
        if (isStopped) music.position = null;
        bars.follow(music.position);
        find('bars-tap').fire('click');
        assert.deepEqual(counts(), [4, 5]);
    });
}

// --- The settings.

test('a slider that was moved without network stays, and the server hears of it', () => {
    const find = newDocument(), link = newLink();
    bindSettings(link);
    const served = { light: 0, felt: 0 };
    const connect = () => {
        link.isOpen = true;
        link.tell('welcome', { device: { ...served } });
        for (const { type, light, felt } of link.sent.splice(0)) if (type === 'device') Object.assign(served, { light, felt });
        return [served.light, served.felt, Number(find('light-ms').value), Number(find('felt-ms').value)];
    };
    Object.assign(served, { light: 5, felt: -5 });
    assert.deepEqual(connect(), [5, -5, 5, -5], 'what the server kept');
    // The first time it is known that there is no network; the second time what is sent is lost.
    for (const [value, isOpen] of [[30, false], [40, true]]) {
        link.isOpen = isOpen;
        find('light-ms').value = String(value);
        find('light-ms').fire('input');
        find('light-ms').fire('change');
        link.sent.length = 0;
        assert.deepEqual(connect(), [value, -5, value, -5]);
        assert.deepEqual(connect(), [value, -5, value, -5]);
        assert.equal(settings.get('areSlidersNew'), false);
    }
    served.light = 7;
    assert.deepEqual(connect(), [7, -5, 7, -5], 'then what the server has is what is shown again');
});

// --- The pages.

test('a page that cannot be had is told of after three attempts, and asked for until it comes', async (context) => {
    await inTime(context, async (wait) => {
        newDocument();
        globalThis.devicePixelRatio = 1;
        const sheets = new Sheets(document.body);
        sheets.show({ id: 's', title: 's', pages: [{ width: 100, height: 141 }] });
        const [{ image, lost }] = sheets.sheets;
        let isThere = false;
        const asked = [];
        const answer = () => image.fire(isThere ? 'load' : 'error');
        Object.defineProperty(image, 'src', {
            get: () => asked.at(-1),
            set: (source) => {
                asked.push(source);
                setTimeout(answer, 10);
            },
        });
        sheets.load([1]);
        await wait(1_500);
        assert.deepEqual([lost.hidden, asked.length], [true, 2]);
        await wait(1_500);
        assert.equal(lost.hidden, false);
        assert.match(lost.textContent, /Page 1 cannot be had/);
        await wait(60_000);
        assert.ok(asked.length > 10 && asked.length < 20, `asked ${asked.length} times in a minute`);
        isThere = true;
        await wait(5_000);
        assert.equal(lost.hidden, true);
    });
});

// --- The library.

test('files that are no scores are named with the reason, and hidden where there are none', () => {
    const find = newDocument(), library = new Library(() => {});
    const told = () => find('left-out-files').children.map((row) => row.textContent);
    const files = [{ file: 'old/b.pdf', problem: 'it needs a password', remedy: 'save it without one' }];
    library.update({ leftOut: { files, further: 3, unread: 0 } });
    assert.deepEqual([find('left-out').hidden, told()], [
        false, ['old/b.pdf: it needs a password; save it without one.', '3 more files are no scores.'],
    ]);
    library.update({ leftOut: { files: [], further: 0, unread: 8_000 } });
    assert.match(told().join(), /^8000 more files were not read/);
    library.update({ leftOut: { files: [], further: 0, unread: 0 } });
    assert.deepEqual([find('left-out').hidden, told()], [true, []]);
});
