/** The person's own settings, kept in this browser: theme, density, time zone, language, keys. */

import { useSyncExternalStore } from 'react';

export interface Settings {
  readonly theme: 'system' | 'light' | 'dark';
  readonly density: 'default' | 'dense';
  readonly zone: 'local' | 'utc';
  /** Empty: the browser's, or the board's. */
  readonly locale: string;
  /** Whether keys without a modifier act. */
  readonly singleKeys: boolean;
  /** Seconds between two polls. */
  readonly interval: number;
}

const name = 'sluice:settings';

const defaults: Settings = {
  theme: 'system',
  density: 'default',
  zone: 'local',
  locale: '',
  singleKeys: true,
  interval: 5,
};

function read(): Settings {
  try {
    return { ...defaults, ...(JSON.parse(localStorage.getItem(name) ?? '{}') as object) };
  } catch {
    // Storage may be forbidden or hold something else.
    return defaults;
  }
}

let current = read();
const listeners = new Set<() => void>();

function show({ theme, density }: Settings): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  if (density === 'dense') dataset['density'] = density;
  else delete dataset['density'];
}

show(current);

export function settings(): Settings {
  return current;
}

export function change(changes: Partial<Settings>): void {
  current = { ...current, ...changes };
  show(current);
  try {
    localStorage.setItem(name, JSON.stringify(current));
  } catch {
    // The settings last as long as the page.
  }
  for (const listener of listeners) listener();
}

const themes = ['system', 'light', 'dark'] as const;

export function nextTheme(): void {
  change({ theme: themes[(themes.indexOf(current.theme) + 1) % themes.length] ?? 'system' });
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useSettings(): Settings {
  return useSyncExternalStore(subscribe, settings);
}

globalThis.addEventListener('storage', (event) => {
  if (event.key !== name) return;
  current = read();
  show(current);
  for (const listener of listeners) listener();
});
