// How this device shows the music: light or dark pages, the view, light and vibration.

import { settings } from './settings.js';

const darkness = matchMedia('(prefers-color-scheme: dark)');

/** Puts the device's settings into effect, now and when they change. */
export function bindAppearance({ sheets, stage, pen, light, vibration }) {
    pen.isDark = () => document.documentElement.dataset.theme === 'dark';
    let view = null;
    const apply = () => {
        const theme = settings.get('theme');
        document.documentElement.dataset.theme = theme === 'auto' ? (darkness.matches ? 'dark' : 'light') : theme;
        sheets.isDark = pen.isDark();
        light.isOn = settings.get('light');
        light.delay = settings.get('lightMS');
        if (vibration.isOn && !settings.get('vibration')) vibration.stop();
        vibration.isOn = settings.get('vibration');
        vibration.delay = settings.get('feltMS');
        if (view !== settings.get('view')) stage.view = view = settings.get('view');
        pen.paint();
    };
    settings.onChange(apply);
    darkness.addEventListener('change', apply);
    apply();
}
