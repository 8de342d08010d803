/** Compiles the `search` of a declaration and refuses paths that cannot be searched. */

import {
  type Refusals,
  type SchemaRegistry,
  configurationError,
  kindRow,
} from '../../schema/index.ts';
import type { ResolvedPath } from './compiled.ts';
import type { DatabaseFamily } from './declaration.ts';
import { foldsCase } from './field-capability.ts';
import { kindOverride, unresolved } from './known-paths.ts';
import { resolvePath } from './resolve-path.ts';
import { wayToFold } from './ways-out.ts';

/** The paths that a search term is compared with. */
export function compileSearch(
  registry: SchemaRegistry,
  model: string,
  paths: readonly string[],
  families: readonly DatabaseFamily[],
  refusals: Refusals,
): readonly ResolvedPath[] {
  const compiled: ResolvedPath[] = [];
  const add = (path: string) => {
    const target = resolvePath(registry, model, path);
    if (!target?.field) {
      const reason = target
        ? 'it is a relation; name one of its fields.'
        : unresolved(registry, model, path, 'field');
      throw refusal(path, reason);
    }
    if (compiled.some((other) => other.path === path)) {
      throw refusal(path, 'the path is listed twice; keep one.');
    }
    if (!kindRow(target.field.kind).textual) {
      throw refusal(
        path,
        `search needs a string, uuid or enum field; drop the path.${kindOverride(target)}`,
      );
    }
    if (!foldsCase(target.field, families)) {
      throw refusal(
        path,
        `search needs a foldedField on several families; ${wayToFold(target.field)}.`,
      );
    }
    compiled.push(target);
  };
  for (const path of paths) refusals.attempt(() => add(path));
  return Object.freeze(compiled);
}

function refusal(path: string, message: string) {
  return configurationError(`rules.search "${path}": ${message}`, { rule: 'search', path });
}
