/** Compares declared schemas with the description of the ORM and refuses differences. */

import { type SourceDifference, configurationError } from '../../schema/index.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import { sourceDifferences } from './source-differences.ts';
import type { QuerySource, SourceOrigin } from './source.ts';

/** The origin that the rules were last found to fit; nearly always the only one. */
const fitting = new WeakMap<CompiledQueryRules, SourceOrigin>();
/** All origins that rules fit, for endpoints that read several databases in turn. */
const checked = new WeakMap<SourceOrigin, WeakSet<CompiledQueryRules>>();

/** Compares schemas and source, once per origin and rules. An origin represents a registry and an ORM's schema. */
export function checkSource(
  { registry, origin, family }: Pick<QuerySource, 'registry' | 'origin' | 'family'>,
  rules: CompiledQueryRules,
): void {
  if (origin === undefined || fitting.get(rules) === origin) return;
  let fits = checked.get(origin);
  if (!fits) {
    fits = new WeakSet();
    checked.set(origin, fits);
  }
  if (!fits.has(rules)) {
    const differences = sourceDifferences(rules, registry, origin, family);
    if (differences.length > 0) throw refusal(differences);
    fits.add(rules);
  }
  fitting.set(rules, origin);
}

function refusal(differences: readonly SourceDifference[]) {
  const lines = differences.map(({ model, path, declared, found }) => {
    const place = path === null ? model : `${model}.${path}`;
    return `${place}: the schema declares ${declared}, the source says ${found}`;
  });
  return configurationError(
    `Schemas and source do not fit; correct whichever is wrong.\n${lines.join(';\n')}.`,
    { differences: Object.freeze(differences) },
  );
}
