/** The height of a row, as the style sheet has it for density and pointer; read once, and again when one of them changes. */

import { sharedValue } from '../live/shared-value.ts';
import { subscribe as onSettings } from '../settings.ts';

const phone = matchMedia('(max-width: 640px)');
const coarse = matchMedia('(pointer: coarse)');

/** Heights of the two-line cards of a phone. */
const cards = { queue: 76, job: 68 } as const;

const standard = 36;

/** Pixels, as the style sheet has them; undefined until they are asked for. */
let known: number | undefined;
const changes = sharedValue(0);

function forget(): void {
  known = undefined;
  changes.set(changes.get() + 1);
}

onSettings(forget);
phone.addEventListener('change', forget);
coarse.addEventListener('change', forget);

/** The height in pixels; a component that uses it is rendered again when it changes. */
export function useRowHeight(kind: keyof typeof cards | 'line'): number {
  changes.use();
  if (phone.matches && kind !== 'line') return cards[kind];
  known ??=
    Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--row'), 10) ||
    standard;
  return known;
}
