/** Keeps the statements of one request on the same of several servers. */

import type { PreparedRead } from '../../rules/index.ts';
import type { Executor } from './executor.ts';

/** The `within` of a read on an executor; `use` receives the executor of the request. */
export function withinServer<E extends Executor>(
  { oneServer }: E,
  use: (inner: E) => void,
): PreparedRead['within'] {
  if (!oneServer) return undefined;
  return (work) =>
    oneServer((inner) => {
      use(inner as E);
      return work();
    });
}
