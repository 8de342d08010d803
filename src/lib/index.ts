/** Door of `src/lib`: primitives that every other folder may use. It imports nothing. */

export { BoundedCache } from './bounded-cache.ts';
export { sleep } from './sleep.ts';
