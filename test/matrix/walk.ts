/** Walks all pages of a keyset list, forwards or backwards. */

import type { CompiledQueryRules, KeysetResult, QuerySource } from '../../src/index.ts';
import { runQuery } from '../../src/index.ts';

/** Called between two pages with the keys of the page just seen. */
export type Between = (keys: readonly number[]) => Promise<void>;

/** More pages than any walk here has: a walk that goes in circles ends in an error. */
const patience = 2_000;

/** One list to walk. */
export class Walk {
  readonly #source: QuerySource;
  readonly #rules: CompiledQueryRules;
  readonly #request: string;
  readonly #between: Between;

  constructor(
    source: QuerySource,
    rules: CompiledQueryRules,
    request: string,
    between: Between = async () => {},
  ) {
    this.#source = source;
    this.#rules = rules;
    this.#request = request;
    this.#between = between;
  }

  /** The keys of all pages from the first on, and the cursor that leads back from the last. */
  async forwards(): Promise<{ readonly keys: number[]; readonly back: string | null }> {
    const keys: number[] = [];
    let cursor: string | null = '';
    let back: string | null = null;
    for (let at = 0; cursor !== null; at += 1) {
      const page = await this.#page(cursor, at);
      const seen = keysOf(page);
      keys.push(...seen);
      ({ nextCursor: cursor, prevCursor: back } = page);
      await this.#between(seen);
    }
    return { keys, back };
  }

  /** The keys of all pages before a cursor, in the order of the list. */
  async backwards(from: string | null): Promise<number[]> {
    const keys: number[] = [];
    let cursor = from;
    for (let at = 0; cursor !== null; at += 1) {
      const page = await this.#page(cursor, at);
      const seen = keysOf(page);
      keys.unshift(...seen);
      cursor = page.prevCursor;
      await this.#between(seen.toReversed());
    }
    return keys;
  }

  async #page(cursor: string, at: number): Promise<KeysetResult> {
    if (at > patience) throw new Error('The walk does not end.');
    const request = `${this.#request}&cursor=${cursor}`;
    return (await runQuery(this.#source, request, this.#rules)) as KeysetResult;
  }
}

const keysOf = (page: KeysetResult): number[] => page.data.map((row) => Number(row['id']));
