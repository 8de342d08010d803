/** Finds what a project is made of: rows of packages, and the one of them that is meant. */

import { UsageError } from '../command.ts';
import type { Project } from './project.ts';

/** A part that a project may have. */
export interface Part<Name extends string> {
  readonly name: Name;
  /** Packages that show it, and modules of Node.js that are imported. */
  readonly packages: readonly string[];
  /** Parts that are told apart from it by their own packages, and hide it. */
  readonly hiddenBy?: readonly string[];
}

/** The parts of the rows that a project has. */
export function partsOf<Name extends string, Row extends Part<Name>>(
  rows: readonly Row[],
  project: Project,
): readonly Row[] {
  const has = (name: string): boolean =>
    name.startsWith('node:') ? project.modules(name).length > 0 : project.packages.has(name);
  const present = rows.filter(({ packages }) => packages.some((name) => has(name)));
  return present.filter(
    ({ hiddenBy = [] }) => !present.some(({ name }) => hiddenBy.includes(name)),
  );
}

/**
 * The part that an option names, or the only one that the project has.
 *
 * @throws {UsageError} when there are none or several, or the option names none
 */
export function thePart<Name extends string, Row extends Part<Name>>(
  rows: readonly Row[],
  project: Project,
  option: string,
  chosen: string | undefined,
): Row {
  const names = rows.map(({ name }) => name).join(', ');
  if (chosen !== undefined) {
    const row = rows.find(({ name }) => name === chosen);
    if (row) return row;
    throw new UsageError(`--${option} must be one of ${names}.`);
  }
  const found = partsOf<Name, Row>(rows, project);
  const [only, second] = found;
  if (only && !second) return only;
  if (!only) {
    throw new UsageError(
      `package.json names no ${option}: install one, or name it with --${option} (${names}).`,
    );
  }
  throw new UsageError(
    `the project has more than one ${option}: choose one with --${option} ${found.map(({ name }) => name).join(' or ')}.`,
  );
}
