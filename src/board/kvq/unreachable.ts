/** Tells errors of a datastore that is away from all others. */

import { StoreAway } from './redis/readiness.ts';
import { StoreTimeout } from './time-limit.ts';

/** Codes of the network, and of a PostgreSQL that starts, stops or has no room. */
const codes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'NR_CLOSED',
  'UNCERTAIN_STATE',
  'CONNECTION_BROKEN',
  '57P01',
  '57P02',
  '57P03',
  '53300',
]);

/** What drivers and servers say when there is no code. */
const texts = [
  /^(?:Connection|Cluster|Node) is (?:closed|aborted|ended|disconnect)/,
  /^Command aborted/,
  /^Connection terminated/,
  /^Client has encountered a connection error/,
  /^timeout exceeded when trying to connect/,
  /^Stream isn't writeable/,
  /^Cannot use a pool after calling end/,
  /^Reached the max retries per request limit/,
  /^(?:LOADING|MASTERDOWN|CLUSTERDOWN|READONLY|TRYAGAIN|NOREPLICAS|UNKILLABLE|BUSY) /,
  /^All sentinels are unreachable/,
  /^Failed to refresh slots cache/,
  /^Cluster isn't ready/,
  /^Too many Cluster redirections/,
  /^None of startup nodes is available/,
  /^(?:MOVED|ASK) /,
  /^Command timed out/,
];

/** Whether the datastore cannot be reached, or cannot serve, for now. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof StoreAway || error instanceof StoreTimeout) return true;
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  if ('code' in error && typeof error.code === 'string') {
    if (codes.has(error.code) || error.code.startsWith('08')) return true;
  }
  return texts.some((text) => text.test(error.message)) || isUnreachable(error.cause);
}
