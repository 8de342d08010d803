/** The person's own settings, kept in this browser: theme, density, time zone, language, keys. */

import { keptValue } from './live/shared-value.ts';

export interface Settings {
  readonly theme: 'system' | 'light' | 'dark';
  readonly density: 'default' | 'dense';
  readonly zone: 'local' | 'utc';
  /** Empty: the browser's, or the board's. */
  readonly locale: string;
  /** Whether the queues are at the side of a wide window. */
  readonly sidebar: boolean;
  /** Whether keys without a modifier act. */
  readonly singleKeys: boolean;
  /** Seconds between two polls. */
  readonly interval: number;
}

const defaults: Settings = {
  theme: 'system',
  density: 'default',
  zone: 'local',
  locale: '',
  sidebar: true,
  singleKeys: true,
  interval: 5,
};

const kept = keptValue('sluice:settings', (stored): Settings => ({
  ...defaults,
  ...(stored as object),
}));

export const { get: settings, subscribe, use: useSettings } = kept;

function show(): void {
  const { theme, density, sidebar } = settings();
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  if (density === 'dense') dataset['density'] = density;
  else delete dataset['density'];
  if (sidebar) dataset['sidebar'] = '';
  else delete dataset['sidebar'];
}

show();
subscribe(show);

export const change = (changes: Partial<Settings>): void => kept.set({ ...settings(), ...changes });

export const nextZone = (): void => change({ zone: settings().zone === 'utc' ? 'local' : 'utc' });

export const nextDensity = (): void =>
  change({ density: settings().density === 'dense' ? 'default' : 'dense' });

export const toggleSidebar = (): void => change({ sidebar: !settings().sidebar });

const themes = ['system', 'light', 'dark'] as const;

export function nextTheme(): void {
  change({ theme: themes[(themes.indexOf(settings().theme) + 1) % themes.length] ?? 'system' });
}
