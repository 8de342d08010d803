/** A check of `code` narrows the details of an error and of its envelope. */

import { describe, expectTypeOf, it } from 'vitest';
import { QueryError } from '../../src/index.ts';
import type { ProfileViolation } from '../../src/adapters/sql/index.ts';
import type {
  QueryErrorCode,
  QueryErrorDetailsByCode,
  QueryErrorEnvelope,
} from '../../src/index.ts';

declare const thrown: unknown;
declare const envelope: QueryErrorEnvelope;

describe('a caught error', () => {
  it('narrows by code', () => {
    if (!(thrown instanceof QueryError)) return;
    expectTypeOf(thrown.code).toEqualTypeOf<QueryErrorCode>();
    expectTypeOf(thrown.statusCode).toEqualTypeOf<number>();
    // @ts-expect-error -- only some codes have a timeout
    void thrown.details.timeoutMs;
    if (thrown.code === 'QUERY_TIMEOUT') {
      expectTypeOf(thrown.details.timeoutMs).toEqualTypeOf<number>();
    }
    if (thrown.code === 'PORTABILITY_PROFILE_MISMATCH') {
      expectTypeOf(thrown.details.violations).toEqualTypeOf<readonly ProfileViolation[]>();
    }
    switch (thrown.code) {
      case 'FILTER_VALUE_INVALID':
      case 'OPERATOR_NOT_ALLOWED':
        expectTypeOf(thrown.details.path).toEqualTypeOf<string>();
        break;
      default:
        expectTypeOf(thrown.toJSON().code).toExtend<QueryErrorCode>();
    }
  });

  it('has an envelope that narrows as well', () => {
    if (envelope.code === 'QUERY_TIMEOUT') {
      expectTypeOf(envelope.details.timeoutMs).toEqualTypeOf<number>();
    }
  });
});

describe('an error that a host creates', () => {
  it('has the details of its code', () => {
    expectTypeOf(new QueryError('FIELD_NOT_ALLOWED', 'No.')).toExtend<QueryError>();
    void new QueryError('QUERY_TIMEOUT', 'Late.', { timeoutMs: 10 }, { cause: thrown });
    // @ts-expect-error -- the limit is required
    void new QueryError('QUERY_TIMEOUT', 'Late.');
    // @ts-expect-error -- a misspelt detail
    void new QueryError('PAGINATION_INVALID', 'No.', { param: 'page', maxRow: 1 });
    // @ts-expect-error -- an unknown code
    void new QueryError('NO_SUCH_CODE', 'No.');
    expectTypeOf<keyof QueryErrorDetailsByCode>().toEqualTypeOf<QueryErrorCode>();
  });

  it('may be a subclass', () => {
    class TenantMissing extends QueryError<'FIELD_NOT_ALLOWED'> {
      readonly tenant = true;
    }
    expectTypeOf(
      new TenantMissing('FIELD_NOT_ALLOWED', 'No.').code,
    ).toEqualTypeOf<'FIELD_NOT_ALLOWED'>();
  });
});
