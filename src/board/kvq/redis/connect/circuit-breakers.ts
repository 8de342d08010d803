/** The circuit breaker of each Redis connection, shared by all queues on it. */

import { CircuitBreaker } from '../../../../lib/index.ts';

const breakers = new WeakMap<object, CircuitBreaker>();

/** The circuit breaker of a connection; on a cluster, one per queue. */
export function breakerOf(target: object): CircuitBreaker {
  let breaker = breakers.get(target);
  if (!breaker) breakers.set(target, (breaker = new CircuitBreaker()));
  return breaker;
}
