/** How current the page is, and the switch that holds it still. */

import { Button } from '../kit/button.tsx';
import { age } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { useClock } from '../live/clock.ts';
import { readNow, togglePause, useLive } from '../live/loop.ts';
import style from './shell.module.css';

export function LiveState() {
  const { mode, every, readAt } = useLive();
  // The age is shown only of what is stale; it would change every second.
  const since = useClock((now) => (mode === 'stale' ? age(now - readAt) : ''));
  const text = {
    live: t('live.live'),
    poll: t('live.every', { seconds: every }),
    paused: t('live.paused'),
    stale: t('live.stale', { age: since }),
  }[mode];
  return (
    <Button
      look="quiet"
      className={style['live']}
      data-mode={mode}
      title={mode === 'stale' ? t('live.now') : t('live.toggle')}
      aria-pressed={mode === 'paused'}
      onClick={mode === 'stale' ? readNow : togglePause}
    >
      <span className={style['sign']} aria-hidden="true">
        {{ live: '●', poll: '◔', paused: '❚❚', stale: '▲' }[mode]}
      </span>
      {text}
    </Button>
  );
}
