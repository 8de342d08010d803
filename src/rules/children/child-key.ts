/**
 * The names of parameters about the children of an include: `include[posts][sort]`, `include[posts][perPage]` and
 * `include[posts][filter]` with all that follows `filter`. What follows the path of the include is the name that the
 * parameter has for the rows of the endpoint.
 */

import { isUndecodable } from '../request/decode-text.ts';
import { type RequestKey, isPath, requestKey } from '../request/request-key.ts';

/** The parameters that ask for children. */
export const childParams: ReadonlySet<string> = new Set(['filter', 'sort', 'perPage']);

const form = /^include\[([^\]]*)\]\[([^\]]*)\](?=\[|$)/;

/** Parses a decoded name that is `include` or begins with `include[`. */
export function childKey(name: string): RequestKey {
  const [whole = '', path = '', param = ''] = form.exec(name) ?? [];
  if (isPath(path) && childParams.has(param)) {
    return { type: 'child', path, key: requestKey(param + name.slice(whole.length)) };
  }
  return isUndecodable(name) ? { type: 'undecodable' } : { type: 'malformed', param: 'include' };
}
