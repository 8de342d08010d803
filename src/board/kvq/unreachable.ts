/** Tells errors of a datastore that is away, or cannot serve for now, from all others. */

import { StoreAway } from './redis/readiness.ts';
import { StoreTimeout } from './time-limit.ts';

/** Codes of the network. */
const networkCodes = new Set([
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
]);

/**
 * Codes of a PostgreSQL that starts, stops, lets nobody in (08, 28, 3D, 57P), lets its user at nothing (42501), has
 * no room left (53, 58), has become a standby (25006), or lets others go first (40, 55P03, 57014).
 */
const serverCodes =
  /^(?:(?:08|28|3D|53|58)\w{3}|57P\d\d|57014|55P03|25006|42501|40001|40P01|40003)$/;

/**
 * What Redis begins an answer with that it cannot give for now, or not to this user. OOM and MISCONF still read,
 * and take no write until somebody has made room, or mended the disk.
 */
const states =
  'LOADING|MASTERDOWN|CLUSTERDOWN|READONLY|TRYAGAIN|NOREPLICAS|UNKILLABLE|BUSY|OOM|MISCONF|NOAUTH|WRONGPASS|NOPERM';

/** What drivers and servers say when there is no code. */
const texts = [
  new RegExp(`^(?:${states}) `),
  // Redis before its seventh major wraps what a script met.
  new RegExp(`@user_script: ?\\d+: -?(?:${states}) `),
  /^ERR (?:max number of clients|invalid password|operation not permitted)/,
  // Redis tells a script that its user may not.
  /^ERR The user executing the script can't|ACL failure in script/,
  /^(?:Connection|Cluster|Node) is (?:closed|aborted|ended|disconnect)/,
  /^Command aborted/,
  /^Connection terminated/,
  /^Client (?:has encountered a connection error|was closed)/,
  /^timeout (?:exceeded when trying to connect|expired)/,
  /^Query read timeout/,
  /^Stream isn't writeable/,
  /^Cannot use a pool after calling end/,
  /^Reached the max retries per request limit/,
  /^All sentinels are unreachable/,
  /^Failed to refresh slots cache/,
  /^Cluster isn't ready/,
  /^Too many Cluster redirections/,
  /^None of startup nodes is available/,
  /^(?:MOVED|ASK) /,
  /^Command timed out/,
];

/** The errors that made a transaction of Redis fail. */
function causesOf(error: Error): readonly unknown[] {
  const before = 'previousErrors' in error ? error.previousErrors : undefined;
  return [error.cause, ...(Array.isArray(before) ? before : [])];
}

/** Whether the datastore cannot be reached, or cannot serve, for now. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof StoreAway || error instanceof StoreTimeout) return true;
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  if ('code' in error && typeof error.code === 'string') {
    if (networkCodes.has(error.code) || serverCodes.test(error.code)) return true;
  }
  return texts.some((text) => text.test(error.message)) || causesOf(error).some(isUnreachable);
}
