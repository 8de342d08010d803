/** The classes of PostgreSQL errors: every relevant SQLSTATE, network codes, driver messages, wrappers. */

import { describe, expect, it } from 'vitest';
import {
  type PostgresqlErrorClass,
  isLostConnection,
  isNetworkError,
  postgresqlErrorClass,
  sqlState,
} from '../../../src/lib/index.ts';

const withCode = (code: string, message = 'failed'): Error =>
  Object.assign(new Error(message), { code });

const states: readonly (readonly [PostgresqlErrorClass | undefined, readonly string[]])[] = [
  ['away', ['08006', '08P01', '28P01', '28000', '3D000', '53100', '53300', '57P01', '57P03']],
  ['away', ['57P04', '58030', '25P03', '40003', 'ECONNREFUSED', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT']],
  ['timeout', ['57014', '25P04']],
  ['forbidden', ['42501', '25006']],
  ['conflict', ['40001', '40P01', '55P03']],
  ['misfit', ['42P01', '42703', '42883', '42804', '3F000']],
  ['failed', ['25P02']],
  ['refused', ['22P02', '22003', '23505', '23514', '54000']],
  // Not server failures: a syntax error, a Prisma code in the form of a SQLSTATE, and a missing file.
  [undefined, ['42601', 'P2024', 'P0001', 'ENOENT', 'ERR_INVALID_ARG_TYPE', 'XX000']],
];

describe('postgresqlErrorClass', () => {
  for (const [expected, codes] of states) {
    it.each(codes)(`says ${expected} of %s`, (code) => {
      expect(postgresqlErrorClass(withCode(code))).toBe(expected);
    });
  }

  it.each([
    ['Connection terminated unexpectedly', 'away'],
    ['timeout exceeded when trying to connect', 'away'],
    ['Cannot use a pool after calling end on the pool', 'away'],
    ['Database connection is not opened', 'away'],
    ['Query read timeout', 'timeout'],
    ['relation "job" does not exist', undefined],
  ])('reads the message "%s" as %s', (message, expected) => {
    expect(postgresqlErrorClass(new Error(message))).toBe(expected);
  });

  it('classifies a missing Unix socket as a server that is away', () => {
    const missing = Object.assign(withCode('ENOENT'), { syscall: 'connect' });
    expect(postgresqlErrorClass(missing)).toBe('away');
  });

  it('reads through causes and AggregateErrors', () => {
    const both = new AggregateError([withCode('ECONNREFUSED'), withCode('ENETUNREACH')]);
    expect(postgresqlErrorClass(new Error('Query failed', { cause: both }))).toBe('away');
    const wrapped = new Error('outer', { cause: new Error('inner', { cause: withCode('40001') }) });
    expect(postgresqlErrorClass(wrapped)).toBe('conflict');
    expect(sqlState(wrapped)).toBe('40001');
  });

  it('terminates for errors that are causes of each other', () => {
    const first = new Error('first');
    first.cause = new Error('second', { cause: first });
    expect(postgresqlErrorClass(first)).toBeUndefined();
  });

  it.each([undefined, null, 'ECONNREFUSED', 7, {}])(
    'says nothing of %s, which is not an error',
    (value) => {
      expect(postgresqlErrorClass(value)).toBeUndefined();
      expect(isNetworkError(value)).toBe(false);
    },
  );
});

describe('isLostConnection', () => {
  it('covers only established connections', () => {
    expect(isLostConnection(withCode('57P01'))).toBe(true);
    expect(isLostConnection(new Error('x', { cause: withCode('ECONNRESET') }))).toBe(true);
    expect(isLostConnection(new Error('Connection terminated'))).toBe(true);
    expect(isLostConnection(withCode('ECONNREFUSED'))).toBe(false);
    expect(isLostConnection(withCode('57014'))).toBe(false);
  });
});

describe('sqlState', () => {
  it('ignores system codes and Prisma codes', () => {
    expect(sqlState(withCode('EPIPE'))).toBeUndefined();
    expect(sqlState(withCode('P2024'))).toBeUndefined();
    expect(sqlState(withCode('P0001'))).toBe('P0001');
  });
});
