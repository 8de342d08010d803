/** Data and output as clients see them, through the formatters of the host; and how an edit of shown data is stored. */

import { BoundedCache } from '../../../lib/index.ts';
import {
  type EngineHost,
  HostFunctions,
  parseExact,
  restored,
  tracedBy,
  type TraceUrl,
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

/** The part of the board that shown values need. */
interface ValuesHost extends Pick<EngineHost, 'versionOf'> {
  readonly logger: Pick<EngineHost['logger'], 'warn'>;
  readonly traceUrl?: TraceUrl | undefined;
}

export class ShownValues {
  /** The parts that a search may not read: it would tell what the formatter hides. */
  readonly closed: ReadonlySet<string>;
  /** The parts that a formatter replaces. */
  readonly replaced: ReadonlySet<string>;
  readonly #formatters: PgqFormatters;
  readonly #host: ValuesHost;
  readonly #noted = new BoundedCache<string, true>(maxNoted);

  constructor(
    { formatters, searchable }: Pick<PgqSettings, 'formatters' | 'searchable'>,
    host: ValuesHost,
  ) {
    this.#formatters = formatters;
    this.#host = host;
    const replaced = (['data', 'output'] as const).filter((part) => formatters[part]);
    this.replaced = new Set(replaced);
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

  /** The answer of a function of the host about a job; undefined where it fails. */
  told({ queueName }: PgqValueOwner, name: string, work: () => unknown): unknown {
    return new HostFunctions((part, thrown) => this.#note(queueName, part, thrown)).run(name, work);
  }

  /** The address of the trace of a job, as a member to spread; none where a formatter replaces its data. */
  traced({ queueName, jobId = '' }: PgqValueOwner, data: unknown): { readonly traceUrl?: string } {
    if (this.replaced.has('data')) return {};
    const host = new HostFunctions((part, thrown) => this.#note(queueName, part, thrown));
    return tracedBy(this.#host.traceUrl, { queueName, id: jobId, data }, host);
  }

  /**
   * The version of a row. A part that a formatter replaces counts as it is shown, and the names of other queues do not
   * count: a client could try values that it may not see, by the version or by a command that compares it.
   */
  versionOf(
    owner: PgqValueOwner,
    row: { readonly [Field in `${Part}Text`]?: string | null },
  ): string {
    const open = Object.entries<unknown>(row).map(([field, value]) => {
      const part = field.replace(/Text$/, '');
      if (/^(?:source|deadLetter)/.test(part)) return [field, null];
      const isShown = Object.hasOwn(this.#formatters, part) && typeof value === 'string';
      return [field, isShown ? this.of(owner, { [part]: parsed(value) }) : value];
    });
    return this.#host.versionOf(open);
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
      ? restored(sent, this.of(owner, { data }).data, data, 'data')
      : sent;
    if ((raw && !this.#formatters.data) || kept.text === null) return whole;
    // A refusal would tell which numbers a formatter hides.
    const field = this.#formatters.data ? undefined : 'data';
    return withStoredDigits(whole, parseExact(kept.text), field);
  }

  #note(queueName: string, part: string, thrown: unknown): void {
    const key = `${part} ${queueName}`;
    if (this.#noted.get(key)) return;
    this.#noted.set(key, true);
    this.#host.logger.warn(
      `Board: the formatter of ${part} failed in queue "${queueName}"`,
      thrown,
    );
  }
}
