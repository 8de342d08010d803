/** Data and output as clients see them, through the formatters of the host; and how an edit of shown data is stored. */

import { isDeepStrictEqual } from 'node:util';
import { BoundedCache, isRecord } from '../../../lib/index.ts';
import {
  BoardError,
  type BoardLogger,
  HostFunctions,
  parseExact,
  withStoredDigits,
  withinDepth,
} from '../../core/index.ts';
import { parsed } from './present-job.ts';
import type { PgqFormatters, PgqSettings, PgqValueOwner } from '../options.ts';

type Part = keyof PgqFormatters;

/** The queues and parts whose first failure was logged. */
const maxNoted = 1_000;

/** A value of JSON. */
type Value = NonNullable<unknown> | null;

/** The values of a job or schedule, and the mark of a formatter that failed. */
type Shown<Parts> = { [Name in keyof Parts]: Value } & HostFunctions['mark'];

export class ShownValues {
  /** The parts that neither a search nor a version may read: it would tell what the formatter hides. */
  readonly closed: ReadonlySet<string>;
  readonly #formatters: PgqFormatters;
  readonly #logger: Pick<BoardLogger, 'warn'>;
  readonly #noted = new BoundedCache<string, true>(maxNoted);

  constructor(
    { formatters, searchable }: Pick<PgqSettings, 'formatters' | 'searchable'>,
    logger: Pick<BoardLogger, 'warn'>,
  ) {
    this.#formatters = formatters;
    this.#logger = logger;
    const replaced = (['data', 'output'] as const).filter((part) => formatters[part]);
    this.closed = new Set(replaced.filter((part) => !searchable.includes(part)));
  }

  /** The parts to show. One whose formatter fails is null, and marks its job. */
  of<Parts extends { readonly [Name in Part]?: unknown }>(
    owner: PgqValueOwner,
    parts: Parts,
  ): Shown<Parts> {
    const host = new HostFunctions((part, thrown) => this.#note(owner.queueName, part, thrown));
    const shown = Object.entries(parts).map(([name, value]) => {
      const format = this.#formatters[name as Part];
      // A formatter may change what it receives.
      const work = () => format?.(structuredClone(value ?? null), owner);
      return [name, (format ? host.run(name, work) : withinDepth(value)) ?? null];
    });
    return { ...(Object.fromEntries(shown) as { [Name in keyof Parts]: Value }), ...host.mark };
  }

  /** The texts that the sender may see, of the values that are not null. */
  texts<Name extends string>(
    texts: Readonly<Record<Name, string | null>>,
  ): { [Key in Name]?: string } {
    const open = Object.entries<string | null>(texts).filter(
      ([name, text]) => text !== null && !this.#formatters[name as Part],
    );
    return Object.fromEntries(open) as { [Key in Name]?: string };
  }

  /**
   * The data to store for data that a client has sent: it holds what the client was shown, so the places that are
   * unchanged keep what is stored, numbers with all digits unless the client has sent a text.
   *
   * @throws {BoardError} INVALID_REQUEST_BODY when a list was changed of which the client has not seen every item
   */
  stored(
    owner: PgqValueOwner,
    sent: unknown,
    kept: { readonly text: string | null } | undefined,
    raw: boolean,
  ): unknown {
    if (!kept) return sent;
    const data = parsed(kept.text);
    const whole = this.#formatters.data
      ? restored(sent, this.of(owner, { data }).data, data)
      : sent;
    if (raw || kept.text === null) return whole;
    // A refusal would tell which numbers a formatter hides.
    const field = this.#formatters.data ? undefined : 'data';
    return withStoredDigits(whole, parseExact(kept.text), field);
  }

  #note(queueName: string, part: string, thrown: unknown): void {
    const key = `${part} ${queueName}`;
    if (this.#noted.get(key)) return;
    this.#noted.set(key, true);
    this.#logger.warn(`Board: the formatter of ${part} failed in queue "${queueName}"`, thrown);
  }
}

/** The sent value, with the stored one in every place that is still as shown. */
function restored(sent: unknown, shown: unknown, stored: unknown): unknown {
  if (isDeepStrictEqual(sent, shown)) return stored;
  if (isDeepStrictEqual(shown, stored)) return sent;
  if (Array.isArray(sent) && Array.isArray(shown) && Array.isArray(stored)) {
    if (sent.length === shown.length && shown.length === stored.length) {
      return sent.map((item, index) => restored(item, shown[index], stored[index]));
    }
    throw new BoardError('INVALID_REQUEST_BODY', {
      code: 'INVALID_REQUEST',
      options: { field: 'data' },
      message: 'Part of the list is hidden, so its length cannot be changed.',
    });
  }
  if (!isRecord(sent) || !isRecord(shown) || !isRecord(stored)) return sent;
  const unseen = Object.entries(stored).filter(([name]) => !Object.hasOwn(shown, name));
  const given = Object.entries(sent).flatMap(([name, value]): [string, unknown][] => {
    if (!Object.hasOwn(shown, name)) return [[name, value]];
    if (Object.hasOwn(stored, name)) return [[name, restored(value, shown[name], stored[name])]];
    // A member that the formatter has added is not data.
    return isDeepStrictEqual(value, shown[name]) ? [] : [[name, value]];
  });
  return Object.fromEntries([...unseen, ...given]);
}
