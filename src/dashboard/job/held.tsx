/** Why a job that could run does not run yet: limits of its queue, and jobs that come first. */

import { exact } from '../format/number.ts';
import { duration } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { Note } from '../kit/panel.tsx';
import type { QueueInfo } from '../queue/info.ts';

/** The reason that holds a job in this state back; nothing where it is not known. */
function reasons(state: string, { kvq }: QueueInfo): readonly string[] {
  if (!kvq || !['waiting', 'prioritized'].includes(state)) return [];
  const { activeRateLimitTtl: limited, globalConcurrency: most, counts } = kvq;
  const { active = 0, waiting = 0 } = counts;
  return [
    ...(limited > 0 ? [t('job.heldByRate', { time: duration(limited) })] : []),
    ...(most !== null && active >= most
      ? [t('job.heldByLimit', { active: exact(active), most: exact(most) })]
      : []),
    // The libraries take jobs without a priority first.
    ...(state === 'prioritized' && waiting > 0
      ? [t('job.heldByOthers', { count: exact(waiting) })]
      : []),
  ];
}

export function Held({
  state,
  info,
}: {
  readonly state: string;
  readonly info: QueueInfo | undefined;
}) {
  return (info ? reasons(state, info) : []).map((text) => (
    <Note key={text} tone="warn">
      {text}
    </Note>
  ));
}
