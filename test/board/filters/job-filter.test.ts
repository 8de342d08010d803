/** Filters of jobs as text: what they mean for a job, where values are missing or of another kind than expected. */

import { describe, expect, it } from 'vitest';
import {
  conjunctsOf,
  fixedText,
  isMet,
  languageOf,
  readJobFilter,
} from '../../../src/board/filters/index.ts';
import { examinedOf } from '../../../src/board/kvq/model/examined.ts';
import { whereOf } from '../../../src/board/kvq/model/job-where.ts';
import type { JobRecord } from '../../../src/board/kvq/model/job-record.ts';
import { fixedFilter, readWhere } from '../../../src/board/filters/where.ts';
import { suggest } from '../../../src/client/index.ts';

const now = new Date('2026-01-01T12:00:00.000Z');

const record = (parts: Partial<JobRecord>): JobRecord => ({
  id: '1',
  name: 'mail',
  data: {},
  opts: {},
  progress: 0,
  delay: 0,
  priority: 0,
  timestamp: now.getTime() - 60_000,
  attemptsMade: 1,
  attemptsStarted: 1,
  stalledCounter: 0,
  processedOn: now.getTime() - 40_000,
  processedBy: null,
  finishedOn: now.getTime() - 5_000,
  failedReason: null,
  stacktrace: [],
  returnvalue: null,
  deduplicationId: null,
  deferredFailure: null,
  parentKey: null,
  repeatJobKey: null,
  ...parts,
});

/** Whether a job meets a text. */
const meets = (text: string, parts: Partial<JobRecord> = {}, state = 'failed'): boolean => {
  const job = record(parts);
  const where = whereOf(readWhere('kvq', text, now.getTime()), (error) => error);
  return where.meets(examinedOf(job, state, JSON.stringify(job.data)));
};

const errorOf = (text: string, engine: 'kvq' | 'pgq' = 'kvq'): string | undefined =>
  readJobFilter(engine, text, now).error?.code;

describe('a filter as text', () => {
  it.each<[string, boolean]>([
    ['name = mail or name = sms', true],
    ['name = sms or error ~ x', false],
    ['not name = sms', true],
    ['not (name = sms or attempts >= 1)', false],
    ['not (name = mail and attempts >= 2)', true],
    ['not not name ~ MAI', true],
    ['name in (sms, mail) and not name not in (mail)', true],
    ['name in ()', false],
    ['name not in ()', true],
    ['state in (failed, active)', true],
    ['failed < 1h', true],
    ['failed < 5s', false],
    ['completed < 1h', false],
    ['not completed < 1h', false],
    ['completed is null', true],
    ['added between 11:59 and 11:59', true],
    ['not added between 11:59 and 11:59', false],
    ['processed > now - 41s and started < now - 39s', true],
    ['duration > 30s', true],
    ['duration >= 35s and duration <= 35000', true],
    ['duration > 35s', false],
    ['duration between 34s and 36s', true],
    ['worker is null', true],
    ['not worker = web-3', false],
    ['error is not null', false],
  ])('%s', (text, expected) => {
    expect([text, meets(text)]).toEqual([text, expected]);
  });

  it.each<[string, unknown, boolean]>([
    ['data.n = 42', { n: 42 }, true],
    ['data.n = 42', { n: '42' }, true],
    ['data.n = 42', { n: '042' }, false],
    ['data.n = 1.50', { n: 1.5 }, true],
    ['data.n != 1.50', { n: 1.5 }, false],
    ['data.n != 42', { n: '42' }, false],
    ['data.n != 42', { n: 'x' }, true],
    ['data.n != 42', {}, false],
    ['not data.n = 42', { n: 41 }, true],
    ['not data.n = 42', { n: '42' }, false],
    ['data.n in (1, x)', { n: 'x' }, true],
    ['data.n not in (1, x)', { n: 1 }, false],
    ['data.n >= 100', { n: 100 }, true],
    ['data.n >= 100', { n: '100' }, false],
    ['data.n >= 2026-01', { n: '2026-02-01' }, true],
    ['data.n >= 2026-01', { n: 2_027 }, false],
    // By code points, as in the tables: 😀 is behind ～, whose UTF-16 unit is behind those of 😀.
    ['data.n > ～', { n: '😀' }, true],
    ['data.n between 1 and 3', { n: 2 }, true],
    ['not data.n between 1 and 3', { n: 2 }, false],
    ['not data.n between 1 and 3', { n: 4 }, true],
    ['data.n ~ EL', { n: 'hello' }, true],
    ['data.n !~ el', { n: 'hello' }, false],
    ['data.n = true', { n: true }, true],
    ['data.n is null', { n: null }, true],
    ['data.n is null', { n: [1] }, true],
    ['data.n.0.a-b = x', { n: [{ 'a-b': 'x' }] }, true],
    ['data.n.length = 1', { n: ['x'] }, false],
    ['data.__proto__ is null', {}, true],
  ])('%s with %j', (text, data, expected) => {
    expect([text, data, meets(text, { data })]).toEqual([text, data, expected]);
  });

  it('has an error with its place where it is not one', () => {
    expect(errorOf('name = ')).toBe('VALUE_EXPECTED');
    expect(errorOf('(name = a')).toBe('PARENTHESIS_UNMATCHED');
    expect(errorOf('worker = a', 'pgq')).toBe('PATH_UNKNOWN');
    expect(errorOf('output.code = 1')).toBe('PATH_UNKNOWN');
    expect(errorOf('id = 5', 'pgq')).toBe('VALUE_INVALID');
    expect(errorOf('duration > long')).toBe('VALUE_INVALID');
    expect(errorOf('priority = 1s')).toBe('VALUE_INVALID');
    const many = Array.from({ length: 21 }, (_, at) => `name = ${at}`).join(' or ');
    expect(errorOf(many)).toBe('TOO_MANY_CONDITIONS');
    expect(errorOf(`${'not '.repeat(9)}name = a`)).toBe('TOO_DEEP');
  });

  it('becomes one of fixed times that means the same', () => {
    const text = 'failed < 1h or not (data.n = "a b" and duration > 1m30s)';
    const fixed = fixedText('kvq', text, now);
    expect(fixed).toBe(
      'failed > 2026-01-01T11:00:00.000Z or not (data.n = "a b" and duration > 90000)',
    );
    expect(fixedText('kvq', String(fixed))).toBe(fixed);
    expect(fixedText('kvq', 'name =')).toBeUndefined();
    const { where = '', ...others } = fixedFilter('kvq', {
      where: 'failed < 1h',
      status: 'failed',
    });
    expect([where, others]).toEqual([
      expect.stringMatching(/^failed > \d{4}-.*Z$/),
      { status: 'failed' },
    ]);
  });

  it('is completed with the fields of the engine, and known paths', () => {
    const offered = (text: string, engine: 'kvq' | 'pgq') =>
      suggest(languageOf(engine, text, ['data.to']), text, text.length).items.map(
        ({ label }) => label,
      );
    expect(offered('wor', 'kvq')).toContain('worker');
    expect(offered('wor', 'pgq')).not.toContain('worker');
    expect(offered('name = a or data', 'kvq')).toEqual(['data.to']);
    expect(offered('name = a ', 'kvq')).toEqual(['and', 'or']);
  });

  it.each<[string, readonly string[]]>([
    ['name = a', ['name = a']],
    [
      ' name = a AND  not data.n between 1 and 2 and added < 1h ',
      ['name = a', 'not data.n between 1 and 2', 'added < 1h'],
    ],
    ['(name = a and id = 1) and name ~ "x and y"', ['(name = a and id = 1)', 'name ~ "x and y"']],
    ['name = a and id = 1 or id = 2', ['name = a and id = 1 or id = 2']],
    [
      '(name = a or id = 1) and state in (failed, active)',
      ['(name = a or id = 1)', 'state in (failed, active)'],
    ],
  ])('%s has the conditions %j', (text, parts) => {
    expect(conjunctsOf(text)).toEqual(parts);
    const whole = readJobFilter('kvq', text, now);
    const joined = readJobFilter('kvq', conjunctsOf(text).join(' and '), now);
    expect(joined).toEqual(whole);
  });

  it('refuses operators that no field has', () => {
    const unknown = { type: 'condition', path: 'a', operator: 'has', value: 'b' } as const;
    expect(() => isMet(unknown, () => 'a')).toThrow(TypeError);
  });
});
