/** The course of a job as lengths of time, by the events that are kept of it or by the fields of the job. */

import { expect, it } from 'vitest';
import { courseOf, momentOfLine } from '../../src/dashboard/course/course.ts';
import type { Segment, TimedJob } from '../../src/dashboard/course/course.ts';

const job = (known: Partial<TimedJob>): TimedJob => ({
  state: 'completed',
  added: 1_000,
  ...known,
});

type Moments = Parameters<typeof courseOf>[2];

/** Moments as `event at`, with commas between them. */
const events = (list: string): Moments =>
  list.split(', ').map((text) => {
    const [event, at] = text.split(' ');
    return { event: event as Moments[number]['event'], at: Number(at) };
  });

const told = (segments: readonly Segment[]): string[] =>
  segments.map(({ kind, attempt, from, to, open, outcome }) =>
    [attempt, kind, from, to, outcome, open && 'open'].filter((part) => part).join(' '),
  );

it('has each attempt with the waits before it', () => {
  const { segments, missing } = courseOf(
    job({}),
    3,
    events(
      'added 1000, waiting 1000, active 1010, delayed 1020, waiting 1050, active 1055, waiting 1070, active 1071, completed 1100',
    ),
    9_999,
  );
  expect(missing).toBe(0);
  expect(told(segments)).toEqual([
    '1 waited 1000 1010',
    '1 ran 1010 1020 again',
    '2 backoff 1020 1050',
    '2 waited 1050 1055',
    '2 ran 1055 1070 again',
    '3 waited 1070 1071',
    '3 ran 1071 1100 completed',
  ]);
});

it('tells delays, stalls, children and what goes on still', () => {
  const delayed = courseOf(job({ state: 'delayed' }), 0, events('added 1000, delayed 1000'), 1_500);
  expect(told(delayed.segments)).toEqual(['1 delayed 1000 1500 open']);
  const stalled = courseOf(
    job({ state: 'active' }),
    2,
    events('added 1000, waiting 1000, active 1001, stalled 1100, waiting 1100, active 1101'),
    1_200,
  );
  expect(told(stalled.segments)).toEqual([
    '1 waited 1000 1001',
    '1 ran 1001 1100 stalled',
    '2 waited 1100 1101',
    '2 ran 1101 1200 open',
  ]);
  const parent = courseOf(
    job({}),
    2,
    events(
      'added 1000, waiting-children 1000, waiting 1100, active 1110, waiting-children 1120, waiting 1150, active 1160, completed 1170',
    ),
    9_999,
  );
  expect(told(parent.segments)).toEqual([
    '1 children 1000 1100',
    '1 waited 1100 1110',
    '1 ran 1110 1120',
    '2 children 1120 1150',
    '2 waited 1150 1160',
    '2 ran 1160 1170 completed',
  ]);
});

it('invents no times of events that are no longer kept', () => {
  const cut = courseOf(job({}), 4, events('waiting 5000, active 5001, failed 5100'), 9_999);
  expect(cut.missing).toBe(3);
  expect(told(cut.segments)).toEqual([
    '4 unknown 1000 5000',
    '4 waited 5000 5001',
    '4 ran 5001 5100 failed',
  ]);
  // The end was written by a clock far behind.
  const late = courseOf(job({ finished: 5_050 }), 1, events('added 1000, active 5001'), 9_999);
  expect(told(late.segments)).toEqual(['1 ran 5001 5050 completed']);
});

it('falls back to the fields of the job', () => {
  const fields = { started: 1_300, finished: 1_400 };
  const retried = courseOf(job({ ...fields, state: 'failed' }), 3, [], 9_999);
  expect(retried.missing).toBe(2);
  expect(told(retried.segments)).toEqual(['3 unknown 1000 1300', '3 ran 1300 1400 failed']);
  const late = courseOf(job({ ...fields, runsAt: 1_200 }), 1, [], 9_999);
  expect(told(late.segments)).toEqual([
    '1 delayed 1000 1200',
    '1 waited 1200 1300',
    '1 ran 1300 1400 completed',
  ]);
  const backoff = courseOf(job({ state: 'retry', started: 1_300, runsAt: 9_000 }), 2, [], 2_000);
  expect(told(backoff.segments)).toEqual(['2 unknown 1000 1300']);
  expect(courseOf(job({ added: undefined }), 0, [], 9_999).segments).toEqual([]);
  const waits = courseOf(job({ state: 'waiting' }), 0, [], 2_000);
  expect(told(waits.segments)).toEqual(['1 waited 1000 2000 open']);
});

it('reads the moments of lines that have a date and a zone', () => {
  const time = Date.parse('2026-11-27T10:02:11.204Z');
  expect(momentOfLine('2026-11-27T10:02:11.204Z sent')).toBe(time);
  expect(momentOfLine('[info] 2026-11-27 11:02:11,204+01:00 sent')).toBe(time);
  expect(momentOfLine('{"time":"2026-11-27T10:02:11.204000Z","msg":"sent"}')).toBe(time);
  for (const line of ['', '10:02:11 sent', '2026-11-27 10:02:11 sent', '2026-99-27T10:02:11Z']) {
    expect(momentOfLine(line)).toBe(undefined);
  }
  expect(momentOfLine(`${' '.repeat(90)}2026-11-27T10:02:11Z`)).toBe(undefined);
});
