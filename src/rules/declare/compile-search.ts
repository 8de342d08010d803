/** Compiles the `search` of a declaration and refuses paths that cannot be searched. */

import { type SchemaRegistry, configurationError, kindRow } from '../../schema/index.ts';
import type { ResolvedPath } from './compiled.ts';
import { resolvePath } from './resolve-path.ts';

/** The paths that a search term is compared with. */
export function compileSearch(
  registry: SchemaRegistry,
  model: string,
  paths: readonly string[],
): readonly ResolvedPath[] {
  const compiled: ResolvedPath[] = [];
  for (const path of paths) {
    const target = resolvePath(registry, model, path);
    if (!target?.field) {
      throw refusal(path, `${model} has no such field; name a declared path.`);
    }
    if (compiled.some((other) => other.path === path)) {
      throw refusal(path, 'the path is listed twice; keep one.');
    }
    if (!kindRow(target.field.kind).textual) {
      throw refusal(path, 'search needs a string, uuid or enum field; drop the path.');
    }
    if (!target.field.foldedField) {
      throw refusal(path, 'search needs a foldedField; add a folded column.');
    }
    compiled.push(target);
  }
  return Object.freeze(compiled);
}

function refusal(path: string, message: string) {
  return configurationError(`rules.search "${path}": ${message}`, { rule: 'search', path });
}
