/** Cuts values that are nested too deep to be written as JSON: one such job would take its queue's whole page down. */

import { isObject } from '../../lib/index.ts';

/** Levels that are shown; far more than data has, far fewer than exhaust the stack. */
const maxDepth = 500;

/** Replaces the levels below. */
const cut = '…';

/** Every job that is shown comes this way, so nothing is made on it. */
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

/** The value itself, or what of it can be shown. */
export function withinDepth(value: unknown): unknown {
  return isObject(value) && isDeeper(value, maxDepth) ? shortened(value, maxDepth) : value;
}
