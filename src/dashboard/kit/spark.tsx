/** A small curve in a row: its shape, with the last and the largest value as text for those who do not see it. */

import { memo } from 'react';

import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';

const width = 84;
const height = 20;

/** @param values oldest first */
export const Spark = memo(function Spark({
  values,
  label,
}: {
  readonly values: readonly number[];
  readonly label: string;
}) {
  if (values.length < 2) return null;
  const top = Math.max(1, ...values);
  const step = width / (values.length - 1);
  const points = values.map((value, at) => {
    const y = height - 1.5 - (value / top) * (height - 3);
    return `${(at * step).toFixed(1)},${y.toFixed(1)}`;
  });
  const text = t('spark', {
    label,
    last: exact(values.at(-1) ?? 0),
    max: exact(Math.max(...values)),
  });
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={text}
    >
      <title>{text}</title>
      <polygon
        points={`0,${height} ${points.join(' ')} ${width},${height}`}
        fill="currentColor"
        opacity="0.12"
      />
      <polyline points={points.join(' ')} fill="none" stroke="currentColor" strokeWidth="1.25" />
    </svg>
  );
});
