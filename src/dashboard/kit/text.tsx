/** Figures, times and durations on the page: right-aligned, exact on demand, recomputed by the one clock. */

import { memo, useEffect, useRef } from 'react';

import { age, duration, exactTime, relative } from '../format/time.ts';
import { exact, short } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { useClockText } from '../live/clock.ts';

/** Nothing is known. */
export const Unknown = () => <span aria-label={t('unknown')}>–</span>;

const stillness = matchMedia('(prefers-reduced-motion: reduce)');

/** Flashes once when its value has changed. */
function useFlash(value: unknown) {
  const at = useRef<HTMLSpanElement>(null);
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    if (stillness.matches) return;
    at.current?.animate(
      [{ backgroundColor: 'var(--flash)' }, { backgroundColor: 'transparent' }],
      600,
    );
  }, [value]);
  return at;
}

/** A count: exact to 9,999; `capped` shows that there are more. */
export const Count = memo(function Count({
  value,
  capped = false,
}: {
  readonly value: number | null | undefined;
  readonly capped?: boolean;
}) {
  const at = useFlash(value);
  if (value === null || value === undefined) return <Unknown />;
  const text = capped ? `${exact(value)}+` : short(value);
  const whole = exact(value);
  return (
    <span ref={at} {...(text !== whole && !capped && { title: whole })}>
      {text}
    </span>
  );
});

const ageSince = (time: number, now: number): string => age(now - time);

function Time({
  time,
  read,
}: {
  readonly time: number | undefined;
  readonly read: (time: number, now: number) => string;
}) {
  const at = useClockText<HTMLTimeElement>((now) => (time === undefined ? '' : read(time, now)));
  if (time === undefined) return <Unknown />;
  return <time ref={at} dateTime={new Date(time).toISOString()} title={exactTime(time)} />;
}

/** A moment: "3 min ago". */
export const When = memo(function When({ time }: { readonly time: number | undefined }) {
  return <Time time={time} read={relative} />;
});

/** How long ago something began: "41 m". */
export const Since = memo(function Since({ time }: { readonly time: number | undefined }) {
  return <Time time={time} read={ageSince} />;
});

export function Took({
  from,
  to,
}: {
  readonly from: number | undefined;
  readonly to: number | undefined;
}) {
  if (from === undefined || to === undefined) return <Unknown />;
  return (
    <span dir="auto" title={`${exact(to - from)} ms`}>
      {duration(to - from)}
    </span>
  );
}
