/** Entry file of `src/lib`: primitives that every other folder may use. It imports nothing. */

export { acceptedWeights, acceptsHtml, isKnown } from './request-headers.ts';
export { bytesWithin } from './bytes-within.ts';
export { below, normalizeBasePath, pathOf } from './base-path.ts';
export { BoundedCache, oncePer, ExpiringCache, labelLength } from './caches.ts';
export { bossSchema, catalogSchemaOf } from './boss-schema.ts';
export { CircuitBreaker, CircuitOpenError } from './concurrency/circuit-breaker.ts';
export { checkOptions, refuseArguments, withDefaults } from './check-options.ts';
export type {
  OptionPath,
  OptionRow,
  OptionTable,
  OptionTableOf,
  RefuseOption,
  WithDefaults,
} from './check-options.ts';
export { escapeHtml } from './escape-html.ts';
export { isObject, isRecord, isThenable } from './type-guards.ts';
export { knownNames, nearestName } from './nearest-name.ts';
export { addDeadline, dropDeadline } from './concurrency/deadlines.ts';
export type { Deadline } from './concurrency/deadlines.ts';
export { DutyCycleQueue, QueueFullError } from './concurrency/duty-cycle-queue.ts';
export { codeOf, errorCauses } from './errors/error-causes.ts';
export { failedImport, isAtLeast, isMissingPackage, tooOld } from './loaded-package.ts';
export { cutText } from './cut-text.ts';
export { KeyedMutex } from './concurrency/keyed-mutex.ts';
export { notInEffect, type WarningLog } from './not-in-effect.ts';
export { constantPart, normalizedError, reasonLength } from './errors/normalized-error.ts';
export { isNetworkError, isNetworkFailure } from './errors/network-errors.ts';
export {
  type PostgresqlErrorClass,
  isLostConnection,
  postgresqlErrorClass,
  sqlState,
} from './errors/postgresql-errors.ts';
export { longestCursor, queryLength } from './query-length.ts';
export { Semaphore } from './concurrency/semaphore.ts';
export { SingleFlight, SharedWork } from './concurrency/shared-work.ts';
export { sleep } from './concurrency/sleep.ts';
export { inSpan, isTraced, observeGauge } from './telemetry.ts';
export type { GaugeResult, WorkSpan } from './telemetry.ts';
export { TimeoutError, type TimeoutFactory, withTimeout } from './concurrency/timeout.ts';
