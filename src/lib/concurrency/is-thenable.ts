/** Tells a promise, or any other value with `then`, from a value that is there. */
export const isThenable = <Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> =>
  typeof (value as Partial<PromiseLike<Value>> | null | undefined)?.then === 'function';
