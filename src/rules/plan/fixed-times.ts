/** Binds the cursors of a request whose text tells times from now to that text, whatever the time of each page. */

import type { CompiledQueryRules } from '../declare/compiled.ts';
import { cursorBinding } from './cursor/cursor.ts';
import type { PlanParts } from './plan-query.ts';
import { conditionsOf } from './resolve-filters.ts';

/** The parts of a plan; those with times that are told from now belong to one request. */
export function withFixedTimes(rules: CompiledQueryRules, parts: PlanParts): PlanParts {
  const { parsed } = parts;
  const { written = [] } = parsed;
  if (written.every(({ fixed }) => fixed === undefined)) return parts;
  const fixed = {
    ...parsed,
    written: written.map((each) => ({ ...each, value: each.fixed ?? each.value })),
  };
  return {
    ...parts,
    isMoving: true,
    bindingOf: (given, terms, _conditions, scope) =>
      cursorBinding(given, terms, conditionsOf(rules, fixed), scope),
  };
}
