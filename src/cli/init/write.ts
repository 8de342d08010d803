/** Files of a plan beside those on the disk: what differs, and the writing. Nothing that somebody has changed is written over. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createTwoFilesPatch } from 'diff';
import { isRecord } from '../../lib/index.ts';
import { render } from './code.ts';
import type { Edit, InitPlan } from './plan.ts';
import type { Project } from './project.ts';

/** A file that is not as the plan wants it. */
interface Change {
  readonly file: string;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
}

/** The difference of a plan and the disk. */
export interface Changes {
  /** Files to create and to add to. */
  readonly written: readonly Change[];
  /** Files that exist and have another text. */
  readonly taken: readonly Change[];
}

/** Compares a plan with the disk. */
export async function changesOf(
  project: Project,
  plan: InitPlan,
  edits: readonly Edit[],
): Promise<Changes> {
  const format = await formatter(project);
  const created: Change[] = [];
  for (const code of plan.modules) {
    const after = await format(code.file, render(code, project.style));
    const before = await textOf(project, code.file);
    if (before !== after) created.push({ file: code.file, before, after });
  }
  const edited: Change[] = [];
  for (const { file, added } of edits) {
    const before = (await textOf(project, file)) ?? '';
    const after = added
      .map(({ at, text }) => ({ at: at === 'end' ? before.length : at, text }))
      .toSorted((one, other) => other.at - one.at)
      .reduce((text, each) => text.slice(0, each.at) + each.text + text.slice(each.at), before);
    // A file that nobody has formatted is added to as it is.
    const isFormatted = (await format(file, before)) === before;
    edited.push({ file, before, after: isFormatted ? await format(file, after) : after });
  }
  return {
    written: [...created.filter(({ before }) => before === undefined), ...edited],
    taken: created.filter(({ before }) => before !== undefined),
  };
}

/** Changes as a patch. */
export const patchOf = (changes: readonly Change[]): string =>
  changes
    .map(({ file, before, after }) =>
      createTwoFilesPatch(
        before === undefined ? '/dev/null' : `a/${file}`,
        `b/${file}`,
        before ?? '',
        after,
        undefined,
        undefined,
        { context: 2 },
      ).replace(/^=+\n/, ''),
    )
    .join('\n');

/**
 * Writes the files: new ones first, so that nothing mounts what is not there.
 *
 * @throws {Error} when a file has changed since it was compared
 */
export async function writeChanges({ root }: Project, changes: readonly Change[]): Promise<void> {
  for (const { file, before, after } of changes) {
    const target = path.join(root, file);
    if (before === undefined) {
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, after, { flag: 'wx' });
      continue;
    }
    if ((await readFile(target, 'utf8')) !== before)
      throw new Error(`${file} has changed meanwhile.`);
    await writeFile(target, after);
  }
}

async function textOf({ root }: Project, file: string): Promise<string | undefined> {
  try {
    return await readFile(path.join(root, file), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

type Format = (file: string, text: string) => Promise<string>;

/** The formatter of the project: its own Prettier with its settings, where it has one. */
async function formatter({ root, packages }: Project): Promise<Format> {
  if (!packages.has('prettier')) return async (_, text) => text;
  try {
    const file = createRequire(path.join(root, 'package.json')).resolve('prettier');
    const loaded: unknown = await import(pathToFileURL(file).href);
    const prettier = isRecord(loaded) && isRecord(loaded['default']) ? loaded['default'] : loaded;
    const { format, resolveConfig } = prettier as {
      format(text: string, options: object): Promise<string>;
      resolveConfig(file: string): Promise<object | null>;
    };
    return async (name, text) => {
      if (!/\.[mc]?[jt]sx?$/.test(name)) return text;
      const filepath = path.join(root, name);
      return format(text, { ...(await resolveConfig(filepath)), filepath });
    };
  } catch {
    return async (_, text) => text;
  }
}
