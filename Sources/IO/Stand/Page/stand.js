// The music stand: puts the parts together and draws, in each frame, what the position at that moment is.

import { bindAppearance } from './appearance.js';
import { Bars } from './bars.js';
import { Changes } from './changes.js';
import { Clock } from './clock.js';
import { Commands } from './commands.js';
import { Controls } from './controls.js';
import { Course } from './course.js';
import { find, sentence } from './dom.js';
import { explain } from './help.js';
import { listen } from './keys.js';
import { Library } from './library.js';
import { Light } from './light.js';
import { Link } from './link.js';
import { Marks } from './marks.js';
import { notify, silence } from './notice.js';
import { bindSettings, panel } from './panels.js';
import { Pen } from './pen.js';
import { Place } from './place.js';
import { Screen } from './screen.js';
import { Sheets } from './sheets.js';
import { Shown } from './shown.js';
import { Stage } from './stage.js';
import { Touch } from './touch.js';
import { keep, trace } from './trace.js';
import { Vibration } from './vibration.js';

const OTHER_KEY = 'Scan the code again', LATER = 'when the music stand is back';

const clock = new Clock(), course = new Course(), link = new Link(clock);
const sheets = new Sheets(find('content'));
const stage = new Stage(find('stage'), find('content'), sheets, find('divider'), find('head'));
const marks = new Marks(link), pen = new Pen(sheets, marks);
const commands = new Commands(link, clock), controls = new Controls(commands);
const changes = new Changes(link), library = new Library(changeSets), shown = new Shown(link, library);
const light = new Light(find('light')), vibration = new Vibration(course, clock);
const screen = new Screen(), place = new Place();
const position = () => (clock.isSet ? course.at(clock.serverTime(performance.now())) : null);
const bars = new Bars(sheets, stage, changes, position);
let server = null;

pen.onShow = bars.onShow = () => stage.layout();
stage.onPages = (pages) => pen.paint(pages);
stage.onChange = () => {
    find('follow').hidden = stage.isFollowing || !course.isRunning;
    pen.paint();
};
light.onFlash = (beat, time, frame) => keep('flashes', [beat.time, time, beat.beat, frame]);
Object.assign(trace, { clock, sheets });
commands.onRefusal = (refusal) => notify(sentence(refusal));
sheets.onFailure = () => shown.look();
changes.onWait = () => notify(`No connection. What you correct is kept on this device and sent ${LATER}.`);
changes.onRefusal = ({ score }) => { if (score && score === shown.score?.id) shown.open(score); };
changes.onLoss = () => notify('The music stand cannot read what was corrected: that is lost. Reload the page.');

// --- From the server.

link.on('welcome', (welcome) => {
    if (welcome.server !== server) course.forget();
    server = welcome.server;
    document.body.classList.toggle('read-only', Boolean(welcome.readOnly));
    library.update(welcome);
    if (find('state').textContent === OTHER_KEY) silence();
    find('state').textContent = '';
    choose(welcome.score);
    tellReplaced();
});
link.on('scores', (news) => {
    library.update(news);
    if (!shown.isOpen) choose();
    tellReplaced();
});
link.on('course', (message) => change(() => {
    course.update(message, clock.isSet ? clock.serverTime(performance.now()) : -Infinity);
    keep('revisions', [performance.now(), message.revision]);
}));
function change(update) {
    const wasRunning = course.isRunning;
    update();
    if (course.isRunning && !wasRunning) stage.follow();
    controls.update(course);
    if (course.isRunning !== wasRunning) stage.layout();
    vibration.plan();
}
link.on('score', (message) => {
    const isSame = shown.score?.id === message.id, score = shown.take(changes.over(message));
    if (!score) return;
    find('title').textContent = document.title = score.title;
    find('empty').hidden = true;
    library.mark({ score: score.id });
    if (isSame) {
        bars.renew(score);
        return;
    }
    if (bars.isOn) bars.show(false); // it was another score's
    stage.show(score);
    controls.choose(null);
    pen.paint();
    if (score.doubts && !score.accepted) notify('Some bars were not found for sure: see Device, Bars.');
});
link.on('stage', (news) => {
    controls.parts = news.parts;
    library.mark({ entry: news.entry, song: news.song });
    if (shown.follow(news).isMissing) clear(news.missing);
    else if (shown.score) stage.refresh(shown.plan(sheets.score));
});
link.on('sets', ({ sets }) => library.update({ sets }));
function tellReplaced() {
    const { title, other } = shown.replace() ?? {};
    if (other) notify(`“${title}” was saved anew: this is the new file. Bars and marks stay with the old one.`);
    else if (title) notify(`The file of “${title}” is gone. Its pages are here as far as they were shown.`, Infinity);
}
function choose(own) {
    const wanted = shown.choose(own);
    if (wanted === undefined) return;
    find('empty').hidden = Boolean(wanted);
    if (!wanted) find('empty').textContent = `${library.lack} The beat is above.`;
}
/** Shows that the entry that plays has no score, instead of the score of the last one. */
function clear(entry) {
    if (bars.isOn) bars.show(false);
    stage.clear();
    find('title').textContent = document.title = entry;
    find('empty').textContent = `The folder has no score named ${entry}. The beat is above.`;
    find('empty').hidden = false;
    library.mark({ score: null });
}
link.on('error', (error) => notify(sentence(error)));
link.on('locked', () => {
    find('state').textContent = OTHER_KEY;
    notify('The key of the music stand has changed. Scan the code in its terminal again.', Infinity);
});
link.on('close', ({ hasEnded }) => {
    if (hasEnded) change(() => course.end());
    const words = course.isRunning ? 'No connection; going on' : 'No connection';
    find('state').textContent = hasEnded ? 'musicstand has ended' : words;
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
    const bar = at && shown.score?.barAt(at.sheet.page, at.x, at.y);
    const step = bar && shown.score.timeOf(bar);
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
    if (shown.score) bars.show(true);
};
panel('library', 'library-open', () => link.send({ type: 'scores' }));
panel('device', 'device-open', () => explain(screen, clock));
screen.onChange = () => explain(screen, clock);
library.onOpen = (id) => { if (!shown.open(id)) notify(`No connection. The score opens ${LATER}.`); };
library.onEntry = (index) => commands.give('entry', { when: 'bar', value: index });
library.onSong = (id) => isConnected() && link.send({ type: 'song', id });
function changeSets(message) {
    if (isConnected()) changes.send(message);
    return link.isOpen;
}
function isConnected() {
    if (!link.isOpen) notify('No connection: set lists need the music stand. Nothing was changed.');
    return link.isOpen;
}

bindSettings(link);
bindAppearance({ sheets, stage, pen, light, vibration });

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
    place.show(now, shown.score, seen !== null);
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
