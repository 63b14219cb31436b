// What this browser can do for a musician, and what it plainly cannot.

import { find, make } from './dom.js';
import { canVibrate } from './vibration.js';

const isApple = /iPhone|iPad/.test(navigator.userAgent)
    || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/** Fills the list of abilities. `screen` says how the screen is kept awake, `clock` how well the time is known. */
export function explain(screen, clock) {
    const error = clock.isSet ? `within about ${Math.max(1, Math.ceil(clock.error))} ms` : null;
    const rows = [
        ['Time of the metronome', error !== null, error ? `Known ${error}.` : 'No answer from the metronome yet.'],
        ['Vibration', canVibrate, vibration()],
        ['Screen stays awake', screen.way !== 'not', awake(screen.way)],
        ['Full screen', screen.canFill, screen.canFill ? 'By the button above.' : 'Add the page to the home screen.'],
        ['Pen pressure', 'PointerEvent' in window, 'As far as pen and screen tell it.'],
        ['Without network', true, 'Pages that are open go on by themselves; marks and corrected bars wait. Set lists '
            + 'need the music stand. Do not reload then.'],
    ];
    if (!isSecureContext) {
        rows.push(['Safe connection', false, 'The page came over plain http: no wake lock, and others on the network '
            + 'can read along. Open it on this computer itself, give musicstand a certificate (--tls-certificate), or '
            + 'go through a proxy that speaks https (--allow-host).']);
    }
    find('abilities').replaceChildren(...rows.flatMap(([name, can, text]) => [
        make('dt', { textContent: name }), make('dd', { textContent: text, className: can ? 'can' : 'cannot' }),
    ]));
}

function vibration() {
    if (isApple) return 'Apple lets no page vibrate an iPhone or iPad. Use the light, or an Android phone.';
    if (!canVibrate) return 'Only Chrome, Edge and Samsung’s browser on Android can.';
    return 'If the device has a motor. Touch the page once first: the browser asks for that.';
}

function awake(way) {
    if (way === 'lock') return 'By a wake lock.';
    if (way === 'video') return 'By a silent video: most devices mind it. If yours sleeps, lengthen its screen time.';
    return 'Touch the page once. If it still sleeps, lengthen the device’s screen time.';
}
