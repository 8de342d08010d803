/** A file with descriptions of rules: one as `describeRules` gives it, or several by name as `sluice rules export` writes. */

import { readFile } from 'node:fs/promises';
import { isRecord } from '../../lib/index.ts';
import type { RulesDescription } from '../../rules/client/index.ts';
import { UsageError } from '../command.ts';

/** The name of a description that stands in its file alone. */
const alone = '';

/** The members of a description, and whether each is a list. */
const members: readonly (readonly [name: keyof RulesDescription, isList: boolean])[] = [
  ['filters', true],
  ['sorts', true],
  ['includes', true],
  ['search', true],
  ['fields', false],
  ['pagination', false],
  ['limits', false],
];

function isDescription(value: unknown): value is RulesDescription {
  return (
    isRecord(value) &&
    members.every(([name, isList]) => (isList ? Array.isArray(value[name]) : isRecord(value[name])))
  );
}

/**
 * The descriptions of a file by name.
 *
 * @throws {UsageError} when the file cannot be read, is not JSON or has something else
 */
export async function readDescriptions(
  file: string,
): Promise<ReadonlyMap<string, RulesDescription>> {
  const value = await readJson(file);
  if (isDescription(value)) return new Map([[alone, value]]);
  if (isRecord(value)) {
    const named = Object.entries(value).filter((entry): entry is [string, RulesDescription] =>
      isDescription(entry[1]),
    );
    if (named.length > 0 && named.length === Object.keys(value).length) return new Map(named);
  }
  throw new UsageError(
    `${file} has no description of rules: it must be the JSON of describeRules(rules), or a file of sluice rules export.`,
  );
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file} cannot be read: ${reason}`, { cause: error });
  }
}
