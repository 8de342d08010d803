/** Colours that the host sets for tokens, by `ui.theme`. */

import { uiConfig } from './config.ts';

/** Applies the host's tokens; both schemes become one `light-dark()` value. */
export function applyTheme(): void {
  const { light = {}, dark = {} } = uiConfig.theme ?? {};
  const { style } = document.documentElement;
  for (const token of new Set([...Object.keys(light), ...Object.keys(dark)])) {
    const name = `--${token}`;
    const standard = getComputedStyle(document.documentElement).getPropertyValue(name);
    // Only tokens that exist have an effect.
    if (standard === '') continue;
    const [ofLight, ofDark] = [light[token] ?? dark[token], dark[token] ?? light[token]];
    style.setProperty(name, `light-dark(${ofLight}, ${ofDark})`);
  }
}
