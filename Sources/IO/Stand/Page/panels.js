// The panel of this device: what it shows and how, kept here and, for light and vibration, by the server too.

import { find } from './dom.js';
import { settings } from './settings.js';
import { canVibrate } from './vibration.js';

/** Opens with `open`, closes at its button, at Escape and beside it. */
export function panel(id, open, onOpen = () => {}) {
    const dialog = find(id);
    find(open).onclick = () => {
        onOpen();
        dialog.showModal();
    };
    dialog.querySelector('.close').addEventListener('click', () => dialog.close());
    dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
}

export function bindSettings(link) {
    for (const key of ['view', 'theme']) {
        for (const input of find(key).querySelectorAll('input')) {
            input.checked = input.value === settings.get(key);
            input.onchange = () => settings.set(key, input.value);
        }
    }
    for (const input of find('layers').querySelectorAll('input')) {
        const layer = Number(input.value);
        input.checked = settings.get('layers')[layer];
        input.onchange = () => {
            const seen = settings.get('layers').map((isSeen, each) => (each === layer ? input.checked : isSeen));
            settings.set('layers', seen);
        };
    }
    find('layer').value = String(settings.get('layer'));
    find('layer').onchange = () => settings.set('layer', Number(find('layer').value));
    for (const key of ['light', 'vibration']) {
        const input = find(`${key}-on`);
        input.checked = settings.get(key);
        input.onchange = () => settings.set(key, input.checked);
    }
    find('vibration-on').disabled = find('felt-ms').disabled = !canVibrate;
    find('name').value = settings.get('name');
    const tell = () => link.send({
        type: 'device', name: settings.get('name'), light: settings.get('lightMS'), felt: settings.get('feltMS'),
    });
    find('name').onchange = () => {
        settings.set('name', find('name').value.trim() || settings.get('name'));
        tell();
    };
    for (const [id, key] of [['light-ms', 'lightMS'], ['felt-ms', 'feltMS']]) {
        find(id).oninput = () => {
            settings.set(key, Number(find(id).value));
            settings.set('areSlidersNew', true);
            showSliders();
        };
        find(id).onchange = tell;
    }
    link.on('welcome', ({ device }) => {
        if (!device) return;
        const { light = 0, felt = 0 } = device;
        // What was moved here is newer, until the server has it: what is sent without a network may be lost.
        if (settings.get('areSlidersNew') && (light !== settings.get('lightMS') || felt !== settings.get('feltMS'))) {
            tell();
            return;
        }
        settings.set('areSlidersNew', false);
        settings.set('lightMS', light);
        settings.set('feltMS', felt);
        showSliders();
    });
    showSliders();
}

function showSliders() {
    for (const [id, key] of [['light-ms', 'lightMS'], ['felt-ms', 'feltMS']]) {
        const value = settings.get(key);
        find(id).value = String(value);
        const words = value === 0 ? 'on time' : value < 0 ? `${-value} ms early` : `${value} ms late`;
        find(id).setAttribute('aria-valuetext', words);
        const sign = value > 0 ? '+' : value < 0 ? '−' : '';
        find(id).nextElementSibling.textContent = `${sign}${Math.abs(value)} ms`;
    }
}
