/** Lists the tests that raise each error key, and finds keys without a test. */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { errorKeys } from '../../src/board/contract/index.ts';

/** Keys of the metrics history, which no board serves yet. */
const awaited = new Set([
  'INVALID_BEFORE_DATE',
  'INVALID_DATE_RANGE',
  'INVALID_GRANULARITY',
  'INVALID_METRIC',
  'INVALID_QUEUE',
]);

const folder = fileURLToPath(new URL('../', import.meta.url));

/** Tests that send requests; the contract tests do not raise errors. */
const tests = ['board/kvq', 'board/pgq', 'board/core', 'auth'].flatMap((name) =>
  readdirSync(`${folder}${name}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${name}/${file}`),
);

const texts = new Map(tests.map((name) => [name, readFileSync(`${folder}${name}`, 'utf8')]));

/** The tests that expect a key. */
function raisersOf(key: string): string[] {
  // A key may be a prefix of another one.
  const pattern = new RegExp(`\\b${key}\\b`);
  return [...texts].filter(([, text]) => pattern.test(text)).map(([name]) => name);
}

describe('error keys', () => {
  const raised = errorKeys.map((key) => [key, raisersOf(key)] as const);

  it('are all raised by a test', () => {
    const missing = raised.filter(([key, names]) => names.length === 0 && !awaited.has(key));
    expect(missing.map(([key]) => key)).toEqual([]);
  });

  it('are listed with the tests that raise them', () => {
    const lines = raised.map(
      ([key, names]) => `${key}: ${names.join(', ') || 'awaits its routes'}`,
    );
    expect(lines).toHaveLength(errorKeys.length);
    console.log(lines.join('\n'));
  });
});
