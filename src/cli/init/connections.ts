/** The connections that a project makes and exports: what `drizzle(...)`, `new DataSource(...)` or `new Pool(...)` returned. */

import type { Node } from '@babel/types';
import { UsageError } from '../command.ts';
import type { Project } from './project.ts';
import { type ExportRef, type Module, originOf, walk } from './syntax.ts';

/** The calls that make connections of a library. */
export interface Maker {
  /** The modules that have the function or the class. */
  readonly from: RegExp;
  readonly names: readonly string[];
}

/** A connection of a module. */
export interface FoundConnection {
  readonly ref: ExportRef | undefined;
  /** Its name in the module. */
  readonly local: string;
  readonly module: Module;
  readonly made: Node;
}

/** The connections of a project, with those that are not exported. */
export function connectionsOf(
  project: Project,
  { from, names }: Maker,
): readonly FoundConnection[] {
  return project.modules(...names).flatMap((module) =>
    [...module.variables].flatMap(([local, value]) => {
      let made: Node | undefined;
      walk(value, (node) => {
        if (node.type === 'CallExpression' || node.type === 'NewExpression') {
          const origin = originOf(module, node.callee);
          const name = origin && ['default', '*'].includes(origin.name) ? names[0] : origin?.name;
          if (origin && from.test(origin.from) && names.includes(name ?? '')) made ??= node;
        }
      });
      if (!made) return [];
      const name = module.exports.get(local);
      return [
        { made, module, local, ref: name === undefined ? undefined : { file: module.file, name } },
      ];
    }),
  );
}

/**
 * The connection that a list reads: that of `--connection`, or the only one that is exported.
 *
 * @throws {UsageError} when there are none or several
 */
export function theConnection(
  project: Project,
  maker: Maker,
  chosen: string | undefined,
): ExportRef | undefined {
  if (chosen !== undefined) return refOf(chosen, project);
  const all = connectionsOf(project, maker);
  const exported = all.flatMap(({ ref }) => ref ?? []);
  const [only, second] = exported;
  if (second) {
    const names = exported.map(({ file, name }) => `${file}#${name}`).join(', ');
    throw new UsageError(
      `several connections are exported; choose one with --connection: ${names}.`,
    );
  }
  if (only) return only;
  const [hidden] = all;
  if (!hidden) return undefined;
  throw new UsageError(
    `${hidden.module.file} makes a connection and does not export it: export it, or name another one with --connection <file>#<export>.`,
  );
}

/** An export as `file#name`; without a name it is the default one. */
export function refOf(text: string, project: Project): ExportRef {
  const [file = '', name = 'default'] = text.split('#');
  const path = file.replace(/^\.\//, '');
  if (project.files.includes(path)) return { file: path, name };
  throw new UsageError(`--connection: there is no file ${path}; write <file>#<export>.`);
}
