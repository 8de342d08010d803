import { describe, expect, it } from 'vitest';
import { QueryError, configurationError, queryErrorStatus } from '../../../src/schema/index.ts';

describe('QueryError', () => {
  it('is a class with the name, status and envelope of its code', () => {
    const cause = new Error('driver');
    const error = new QueryError('QUERY_TIMEOUT', 'Late.', { timeoutMs: 5 }, { cause });
    expect(error).toBeInstanceOf(QueryError);
    expect(error).toBeInstanceOf(Error);
    expect([error.name, QueryError.name]).toEqual(['QueryError', 'QueryError']);
    expect([error.status, error.statusCode, error.cause]).toEqual([504, 504, cause]);
    expect([error.expose, new QueryError('FIELD_NOT_ALLOWED', 'No.').expose]).toEqual([
      false,
      true,
    ]);
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      statusCode: 504,
      code: 'QUERY_TIMEOUT',
      message: 'Late.',
      details: { timeoutMs: 5 },
    });
  });

  it('lets frameworks show the message of a refusal, and that of no fault of the server', () => {
    for (const [code, status] of Object.entries(queryErrorStatus)) {
      const { expose } = new QueryError(code as 'FIELD_NOT_ALLOWED', 'No.');
      expect([code, expose]).toEqual([code, status === 400 || status === 404]);
    }
  });

  it('has empty details by default', () => {
    expect(new QueryError('FIELD_NOT_ALLOWED', 'No.').details).toEqual({});
    expect(configurationError('No.').details).toEqual({});
  });

  it('distinguishes an unavailable datastore from a defect', () => {
    expect(queryErrorStatus.SOURCE_UNAVAILABLE).toBe(503);
    expect(queryErrorStatus.ADAPTER_CONTRACT_VIOLATION).toBe(500);
  });
});
