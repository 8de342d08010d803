/**
 * Wrappers of a client's `query`, as hosts and instrumentation install them. The driver takes query objects by their
 * methods, which a wrapper loses when it copies their properties, and returns them, where a wrapper may expect a promise.
 */

import { isThenable } from '../../../lib/index.ts';

/** A query object. */
export interface QueryObject<Result> {
  /** Whether the driver has received this object, not a copy of its properties. */
  readonly isSubmitted: boolean;
  callback: (error: Error | null, result?: Result) => void;
}

/** Whether functions pass query objects on. */
const known = new WeakMap<object, boolean>();

/** Whether a function passes query objects on, as that of the driver does; `undefined` until one was tried. */
export const passesOn = (query: object): boolean | undefined => known.get(query);

/**
 * Sends a query object through a function that is not known. `lost` is called without a result where the function has
 * lost the object; otherwise the callback of the object tells its end.
 */
export function tryQuery<Result>(
  wrapper: object,
  query: QueryObject<Result>,
  send: () => unknown,
  lost: (nothing: undefined) => void,
  fail: (error: unknown) => void,
): void {
  const { callback } = query;
  query.callback = (error, result) => {
    if (query.isSubmitted && !known.has(wrapper)) known.set(wrapper, true);
    // A copy of the properties is a query of its own, and has this callback.
    if (query.isSubmitted || error) callback(error, result);
    else notPassed();
  };
  const notPassed = (): void => {
    known.set(wrapper, false);
    lost(undefined);
  };
  let returned: unknown;
  try {
    returned = send();
  } catch {
    // A wrapper that expects a promise throws when the object was sent already; its callback follows then.
    known.set(wrapper, false);
    if (!query.isSubmitted) lost(undefined);
    return;
  }
  if (!isThenable(returned)) return;
  returned.then(
    (value) => {
      if (value !== query && !query.isSubmitted) notPassed();
    },
    (error: unknown) => {
      if (!query.isSubmitted) fail(error);
    },
  );
}
