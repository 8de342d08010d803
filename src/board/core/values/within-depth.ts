/** Truncates values that are nested too deeply to serialize: one such job would fail the whole page of its queue. */

import { isObject } from '../../../lib/index.ts';

/** Maximum depth shown; far more than real data, far less than exhausts the stack. */
const maxDepth = 500;

/** Replaces the deeper levels. */
const cut = '…';

/** Called for every job shown, so it allocates nothing for ordinary data. */
function isDeeper(value: object, than: number): boolean {
  if (than === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isObject(item) && isDeeper(item, than - 1)) return true;
    return false;
  }
  for (const name in value) {
    const item: unknown = Reflect.get(value, name);
    if (isObject(item) && isDeeper(item, than - 1)) return true;
  }
  return false;
}

function shortened(value: unknown, levels: number): unknown {
  if (!isObject(value)) return value;
  if (levels === 0) return cut;
  if (Array.isArray(value)) return value.map((item) => shortened(item, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, shortened(item, levels - 1)]),
  );
}

/** The value, truncated if necessary. */
export function withinDepth(value: unknown): unknown {
  return isObject(value) && isDeeper(value, maxDepth) ? shortened(value, maxDepth) : value;
}
