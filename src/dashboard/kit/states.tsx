/** The states of jobs: the same word, shape and colour for both engines. A state is never told by colour alone. */

import { t } from '../i18n/index.ts';
import type { MessageKey } from '../i18n/index.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';
import style from './states.module.css';

/** The states as they are drawn. */
const icons = {
  active: 'play',
  waiting: 'ring',
  prioritized: 'chevrons',
  delayed: 'clock',
  blocked: 'link',
  retry: 'retry',
  completed: 'tick',
  failed: 'cross',
  cancelled: 'slash',
  paused: 'bars',
} as const satisfies Readonly<Record<string, IconName>>;

type Tone = keyof typeof icons;

/** States of either engine that are drawn as another one; further states are drawn as waiting. */
const drawnAs: Readonly<Record<string, Tone>> = {
  deferred: 'delayed',
  'waiting-children': 'blocked',
  stuck: 'failed',
};

const isDrawn = (state: string): state is Tone => Object.hasOwn(icons, state);

export const toneOf = (state: string): Tone =>
  isDrawn(state) ? state : (drawnAs[state] ?? 'waiting');

/** The word of a state, as its library calls it. */
export const stateName = (state: string): string => {
  const key = `state.${state}` as MessageKey;
  const text = t(key);
  return text === key ? state : text;
};

export function StateIcon({
  state,
  size = 14,
}: {
  readonly state: string;
  readonly size?: number;
}) {
  const tone = toneOf(state);
  return (
    <span className={style['icon']} data-tone={tone}>
      <Icon name={icons[tone]} size={size} />
    </span>
  );
}

export function StateMark({ state }: { readonly state: string }) {
  return (
    <span className={style['mark']}>
      <StateIcon state={state} />
      {stateName(state)}
    </span>
  );
}

export interface Share {
  readonly state: string;
  readonly count: number;
}

/** Shares of a queue as a bar; a share that exists is never narrower than two pixels. */
export function StateBar({
  shares,
  paused,
}: {
  readonly shares: readonly Share[];
  readonly paused?: boolean;
}) {
  const present = shares.filter(({ count }) => count > 0);
  const label = present.map(({ state, count }) => `${stateName(state)} ${count}`).join(', ');
  return (
    <span
      className={style['bar']}
      role="img"
      aria-label={label || t('overview.empty')}
      title={label}
    >
      {present.map(({ state, count }) => (
        <span
          key={state}
          data-tone={toneOf(state)}
          data-hatch={(paused && toneOf(state) === 'waiting') || state === 'paused' || undefined}
          style={{ flexGrow: count }}
        />
      ))}
    </span>
  );
}
