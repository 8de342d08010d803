/** Distinguishes refusals of BullMQ from failures. */

import { DriverRefusal, type Refusal } from '../model/driver.ts';
import { memberOf } from './record.ts';

/** Meanings of the library's error codes. */
const refusals = new Map<unknown, Refusal>([
  [-1, 'missing'],
  [-2, 'active'],
  [-3, 'state'],
  [-6, 'active'],
  [-8, 'scheduled'],
  [-10, 'taken'],
  [-11, 'taken'],
]);

/** Distinguishes refusals from failures by code, or by message where the library has no code. */
export async function refusing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    // The functions on PostgreSQL raise the codes as the detail of one error.
    const code = memberOf(error, 'code');
    const refusal = refusals.get(code === 'BM001' ? Number(memberOf(error, 'detail')) : code);
    if (refusal) throw new DriverRefusal(refusal, error);
    const text = error instanceof Error ? error.message : '';
    if (/could not be removed because it is locked/.test(text)) {
      throw new DriverRefusal('active', error);
    }
    if (text.startsWith('Cannot obliterate queue with active jobs')) {
      throw new DriverRefusal('active', error);
    }
    throw error;
  }
}
