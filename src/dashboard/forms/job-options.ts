/** The options of a job that a form has fields for, by engine. */

import { t } from '../i18n/index.ts';
import type { MessageKey } from '../i18n/index.ts';
import type { DataField, NumberForm } from './fields.ts';

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** A duration as `90s` or `5m`, stored as a number of a unit of so many milliseconds. */
const durationOf = (unit: number): NumberForm => ({
  print: (raw) => {
    const ms = Number(raw) * unit;
    const [name, size] = units.find(([, each]) => ms !== 0 && ms % each === 0) ?? ['ms', 1];
    return `${ms / size}${name}`;
  },
  parse: (text) => {
    const [, count, name] = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*(ms|[smhd])\s*$/.exec(text) ?? [];
    const size = units.find(([each]) => each === name)?.[1];
    return size === undefined ? undefined : String(Math.round(Number(count) * size) / unit);
  },
  problem: t('form.noDuration'),
});

/** Attempts, of which the option counts those after the first so many. */
const attemptsAfter = (first: number): NumberForm => ({
  print: (raw) => String(Number(raw) + first),
  parse: (text) => (/^[1-9]\d{0,8}$/.test(text) ? String(Number(text) - first) : undefined),
  problem: t('form.noCount'),
});

const field = (
  name: string,
  label: MessageKey,
  hint: MessageKey | undefined,
  form?: NumberForm,
): DataField => ({
  path: [{ name, isRequired: false }],
  label: t(label),
  hint: hint && t(hint),
  kind: 'number',
  choices: [],
  isRequired: false,
  form,
});

/** @param scheduled whether a schedule says when its jobs run */
export function optionFields(engine: 'kvq' | 'pgq', scheduled: boolean): readonly DataField[] {
  const fields =
    engine === 'kvq'
      ? [
          field('delay', 'form.delay', 'form.delayHint', durationOf(1)),
          field('priority', 'form.priority', 'form.lowFirst'),
          field('attempts', 'form.attempts', undefined, attemptsAfter(0)),
        ]
      : [
          field('startAfter', 'form.delay', 'form.delayHint', durationOf(1_000)),
          field('priority', 'form.priority', 'form.highFirst'),
          field('retryLimit', 'form.attempts', undefined, attemptsAfter(1)),
        ];
  return scheduled ? fields.slice(1) : fields;
}
