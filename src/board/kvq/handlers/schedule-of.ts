/** The schedule that a client asks for, and the refusal of one that cannot be. */

import { BoardError, isTimeZone } from '../../core/index.ts';
import type { Schedule } from '../model/driver.ts';

/** A schedule in a body. */
export interface Wanted {
  readonly pattern?: string | undefined;
  readonly every?: string | number | null | undefined;
  readonly tz?: string | undefined;
  readonly limit?: number | null | undefined;
  readonly endDate?: string | number | null | undefined;
}

/** The schedule to set, with its start and the runs that already count towards the limit. */
export function scheduleOf(wanted: Wanted, startDate: number | null, count = 0): Schedule {
  const pattern = wanted.pattern?.trim();
  const tz = wanted.tz?.trim();
  return {
    ...(pattern ? { pattern } : { every: Number(wanted.every) }),
    ...(tz && { tz }),
    ...(wanted.limit != null && { limit: wanted.limit }),
    ...(startDate !== null && { startDate }),
    ...(wanted.endDate != null && { endDate: Number(wanted.endDate) }),
    ...(count > 0 && { count }),
  };
}

/** Whether the schedule would start after its end. */
export function neverFires({ startDate, endDate }: Schedule): boolean {
  return startDate !== undefined && endDate !== undefined && startDate > endDate;
}

/** The refusal of a schedule that the library does not understand, or that never fires. */
export function invalidPattern(cause?: unknown, tz?: string): BoardError {
  return new BoardError('INVALID_SCHEDULER_PATTERN', {
    code: 'INVALID_REQUEST',
    cause,
    ...(tz !== undefined && !isTimeZone(tz) && { options: { field: 'tz' } }),
  });
}
