// The music stand: puts the parts together and draws, in each frame, what the position at that moment is.

import { Bars } from './bars.js';
import { Clock } from './clock.js';
import { Commands } from './commands.js';
import { Controls } from './controls.js';
import { Course } from './course.js';
import { find } from './dom.js';
import { explain } from './help.js';
import { listen } from './keys.js';
import { Library } from './library.js';
import { Light } from './light.js';
import { Link } from './link.js';
import { Marks } from './marks.js';
import { bindSettings, panel } from './panels.js';
import { Pen } from './pen.js';
import { Place } from './place.js';
import { Score } from './score.js';
import { Screen } from './screen.js';
import { settings } from './settings.js';
import { Sheets } from './sheets.js';
import { Stage } from './stage.js';
import { Touch } from './touch.js';
import { keep, trace } from './trace.js';
import { Vibration } from './vibration.js';

const NOTICE = 5_000; // ms
const OTHER_KEY = 'Scan the code again';

const clock = new Clock(), course = new Course(), link = new Link(clock);
const sheets = new Sheets(find('content'));
const stage = new Stage(find('stage'), find('content'), sheets, find('divider'), find('head'));
const marks = new Marks(link), pen = new Pen(sheets, marks);
const commands = new Commands(link, clock), controls = new Controls(commands);
const library = new Library((message) => link.send(message));
const light = new Light(find('light')), vibration = new Vibration(course, clock);
const screen = new Screen(), place = new Place();
const position = () => (clock.isSet ? course.at(clock.serverTime(performance.now())) : null);
const bars = new Bars(sheets, stage, link, position);
const darkness = matchMedia('(prefers-color-scheme: dark)');
let server = null, score = null, asked = null;
/** What plays, and the score that belongs to it; null before the server has said so.
 *  @type {any} */
let playing = null;

pen.onShow = bars.onShow = () => stage.layout();
pen.isDark = () => document.documentElement.dataset.theme === 'dark';
stage.onPages = (pages) => pen.paint(pages);
stage.onChange = () => {
    find('follow').hidden = stage.isFollowing || !course.isRunning;
    pen.paint();
};
light.onFlash = (beat, time, frame) => keep('flashes', [beat.time, time, beat.beat, frame]);
Object.assign(trace, { clock, sheets });
commands.onRefusal = ({ problem, remedy }) => notify(`${problem} ${remedy}`);

// --- From the server.

link.on('welcome', (welcome) => {
    if (welcome.server !== server) course.forget();
    server = welcome.server;
    document.body.classList.toggle('read-only', Boolean(welcome.readOnly));
    library.update(welcome);
    if (find('state').textContent === OTHER_KEY) find('notice').hidden = true;
    find('state').textContent = '';
    // A tablet that was away while the others went on to another piece goes there too.
    if (playing && welcome.score && welcome.score !== playing.score) {
        score = null;
        playing = { ...playing, score: welcome.score };
    }
    const known = [score?.id, welcome.score, settings.get('score'), welcome.scores[0]?.id];
    const wanted = known.find((id) => id && library.has(id));
    if (wanted && wanted !== score?.id) open(wanted);
    find('empty').hidden = Boolean(wanted);
    if (!wanted) find('empty').textContent = 'The folder has no scores. The beat is above.';
});
link.on('course', (message) => {
    const wasRunning = course.isRunning;
    course.update(message, clock.isSet ? clock.serverTime(performance.now()) : -Infinity);
    keep('revisions', [performance.now(), message.revision]);
    if (course.isRunning && !wasRunning) stage.follow();
    controls.update(course);
    if (course.isRunning !== wasRunning) stage.layout();
    vibration.plan();
});
link.on('score', (message) => {
    const isSame = score?.id === message.id;
    // All devices hear of bars that were found or corrected, those too that show another score.
    if (!isSame && message.id !== asked) return;
    score = planned(new Score(message));
    settings.set('score', score.id);
    find('title').textContent = document.title = score.title;
    find('empty').hidden = true;
    library.mark({ score: score.id });
    if (isSame) {
        bars.renew(score);
        return;
    }
    stage.show(score);
    controls.choose(null);
    pen.paint();
    if (score.doubts && !score.accepted) notify('Some bars were not found for sure: see Device, Bars.');
});
link.on('stage', (news) => {
    const isOther = playing !== null && news.score !== playing.score;
    playing = news;
    controls.list(news.sections, news.parts);
    library.mark({ entry: news.entry, song: news.song });
    if (isOther && news.score && news.score !== score?.id) open(news.score);
    else if (score) stage.refresh(planned(sheets.score));
});
link.on('sets', ({ sets }) => library.update({ sets }));
function open(id) {
    asked = id; // shown when it comes
    link.send({ type: 'open', score: id });
}
/** A score with the order of the plan, where that is the score's. */
function planned(each) {
    const order = playing?.order;
    each.plan = order && (!order.score || order.score === each.id) ? order : null;
    return each;
}
link.on('error', ({ problem, remedy }) => notify(`${problem} ${remedy}`));
link.on('refused', () => {
    find('state').textContent = OTHER_KEY;
    notify('The key of the music stand has changed. Scan the code in its terminal again.', Infinity);
});
link.on('close', () => {
    find('state').textContent = course.isRunning ? 'No connection; going on' : 'No connection';
});

// --- From the musician.

const touch = new Touch(find('stage'), stage, pen);
touch.turns = () => !bars.isOn;
touch.onTap = (x, y) => {
    if (bars.isOn) {
        bars.tap(x, y);
        return;
    }
    const at = sheets.pointAt(x, y);
    const bar = at && score?.barAt(at.sheet.page, at.x, at.y), step = bar && score.timeOf(bar);
    controls.choose(step ? { step, number: bar.number } : null);
    if (controls.areAway || step) controls.appear(); else controls.leave();
};
listen({
    turn: (direction) => stage.turn(direction),
    toggle: (event) => controls.toggle(event),
    tap: (event) => controls.tap(event),
});
addEventListener('pointerup', () => screen.keepAwake());
find('follow').onclick = () => stage.follow();
find('pen').onclick = () => pen.show(!pen.isOn);
find('pen-done').onclick = () => pen.show(false);
find('full').onclick = () => screen.toggleFull();
find('bars-open').onclick = () => {
    find('device').close();
    if (score) bars.show(true);
};
panel('library', 'library-open');
panel('device', 'device-open', () => explain(screen, clock));
screen.onChange = () => explain(screen, clock);
library.onOpen = open;
library.onEntry = (index) => commands.give('entry', { when: 'bar', value: index });
library.onSong = (id) => link.send({ type: 'song', id });

// --- How this device shows it.

function applySettings() {
    const theme = settings.get('theme');
    document.documentElement.dataset.theme = theme === 'auto' ? (darkness.matches ? 'dark' : 'light') : theme;
    sheets.isDark = pen.isDark();
    light.isOn = settings.get('light');
    light.delay = settings.get('lightMS');
    if (vibration.isOn && !settings.get('vibration')) vibration.stop();
    vibration.isOn = settings.get('vibration');
    vibration.delay = settings.get('feltMS');
    if (stage.view !== settings.get('view')) stage.view = settings.get('view');
    pen.paint();
}
bindSettings(link);
settings.onChange(applySettings);
darkness.addEventListener('change', applySettings);
applySettings();

let notice = 0;
find('notice').onclick = () => { find('notice').hidden = true; };
/** Shows words for `ms`, or until they are touched. */
function notify(text, ms = NOTICE) {
    find('notice').textContent = text;
    find('notice').hidden = false;
    clearTimeout(notice);
    if (Number.isFinite(ms)) notice = setTimeout(() => { find('notice').hidden = true; }, ms);
}

// --- Each frame.

let last = 0, frame = 1_000 / 60;
function draw(time) {
    requestAnimationFrame(draw);
    // What is drawn now is seen a frame later. The median of a few would be steadier; a slow average is enough.
    if (last && time - last < 50) frame += (time - last - frame) * 0.05;
    last = time;
    const seen = clock.isSet ? clock.serverTime(time + frame) : null;
    const now = seen === null ? null : course.at(seen);
    stage.draw(now);
    bars.follow(now);
    place.show(now, score, seen !== null);
    if (seen !== null) light.draw(course, seen, frame);
    if (now) {
        controls.tempo = now.bpm;
        controls.sounding = now.bar;
        keep('frames', [time + frame, now.n + now.phase, stage.y, seen]);
    }
}
requestAnimationFrame(draw);
setInterval(() => vibration.plan(), 100);
marks.open();
link.connect();
