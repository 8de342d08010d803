/**
 * Mutants as data: one small change of the source each, as a careless maintainer could make it. A room is a text file:
 *
 *     @ src/board/pgq/commands/locked-jobs.ts
 *     # a worker's lock is waited for
 *     -limit $4 for update skip locked`
 *     +limit $4 for update`
 *     > test/board/pgq/purge.test.ts
 *
 * The text of the lines with `-` stands once in the file, from any column on, and that of the lines with `+` takes its
 * place, which may be none. A line with `>` names a test that is expected to fail. A line with `=` gives the reason
 * for which nothing can notice the change. A line with `~` begins a room's list of its tests.
 */

import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Mutant {
  readonly room: string;
  /** Its place in its room, from 1 on. */
  readonly number: number;
  readonly file: string;
  /** The behaviour that it loses. */
  readonly title: string;
  readonly text: string;
  readonly change: string;
  /** The tests of which one fails with it; none where that is unknown. */
  readonly dies: readonly string[];
  /** The reason for which it behaves as the source does. */
  readonly equal?: string;
}

export interface Room {
  readonly name: string;
  /** Patterns of the tests that a developer of these files runs. */
  readonly tests: readonly string[];
  readonly mutants: readonly Mutant[];
}

const rooms = new URL('rooms/', import.meta.url);
export const roomFile = (name: string): URL => new URL(`${name}.mutants`, rooms);
export const root: URL = new URL('../../', import.meta.url);

function mutantOf(room: string, number: number, block: readonly string[]): Mutant {
  const lines = (mark: string): string[] =>
    block.filter((line) => line.startsWith(mark)).map((line) => line.slice(1));
  const [file = ''] = lines('@');
  const [equal] = lines('=');
  const unknown = block.find((line) => !/^[@#+>=-]/.test(line));
  if (unknown !== undefined)
    throw new Error(`${room}, mutant ${number}: unknown line '${unknown}'`);
  return {
    room,
    number,
    file: file.trim(),
    title: lines('#').join(' ').trim(),
    text: lines('-').join('\n'),
    change: lines('+').join('\n'),
    dies: lines('>').map((line) => line.trim()),
    ...(equal && { equal: equal.trim() }),
  };
}

export function readRoom(name: string): Room {
  const lines = readFileSync(roomFile(name), 'utf8').split('\n');
  const tests = lines.filter((line) => line.startsWith('~')).map((line) => line.slice(1).trim());
  const blocks: string[][] = [];
  for (const line of lines) {
    if (line === '' || line.startsWith('~')) continue;
    if (line.startsWith('@')) blocks.push([]);
    blocks.at(-1)?.push(line);
  }
  return { name, tests, mutants: blocks.map((block, at) => mutantOf(name, at + 1, block)) };
}

export const readRooms = (): readonly Room[] =>
  readdirSync(fileURLToPath(rooms))
    .filter((file) => file.endsWith('.mutants'))
    .toSorted()
    .map((file) => readRoom(file.slice(0, -'.mutants'.length)));

/** The source with the change. Throws unless the text stands in it once. */
export function mutate({ room, number, file, text, change }: Mutant, source: string): string {
  const at = text === '' ? -1 : source.indexOf(text);
  if (at < 0 || source.includes(text, at + 1) || text === change) {
    throw new Error(
      `${room}, mutant ${number}: its text must stand once in ${file}, and its change must differ`,
    );
  }
  return source.slice(0, at) + change + source.slice(at + text.length);
}
