/** The height of a row, as the style sheet has it for density and pointer; read once, and again when one of them changes. */

import { useSyncExternalStore } from 'react';

import { subscribe as onSettings } from '../settings.ts';

const phone = matchMedia('(max-width: 640px)');
const coarse = matchMedia('(pointer: coarse)');

/** Heights of the two-line cards of a phone. */
const cards = { queue: 76, job: 68 } as const;

const standard = 36;

const listeners = new Set<() => void>();
/** Pixels; 0 on a phone, and undefined until it is asked for. */
let known: number | undefined;

function forget(): void {
  known = undefined;
  for (const listener of listeners) listener();
}

onSettings(forget);
phone.addEventListener('change', forget);
coarse.addEventListener('change', forget);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function height(): number {
  if (phone.matches) return 0;
  known ??=
    Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--row'), 10) ||
    standard;
  return known;
}

/** The height in pixels; a component that uses it is rendered again when it changes. */
export function useRowHeight(kind: keyof typeof cards): number {
  return useSyncExternalStore(subscribe, height) || cards[kind];
}
