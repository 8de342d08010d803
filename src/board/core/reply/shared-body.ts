/** Answers that many senders receive: made, serialised in pieces and hashed once for all to whom they are the same. */

import { createHash, type Hash } from 'node:crypto';
import { SharedWork } from '../../../lib/index.ts';

/** Maximum bytes of the answers that are kept per snapshot. */
const mostKept = 16 * 1024 * 1024;

/** Characters after which a body in pieces pauses. */
const pieceLength = 65_536;

/** A success as the JSON text of a value, with its ETag: what a handler returns instead of the value. */
export class SharedBody<Value = unknown> {
  readonly bytes: Uint8Array;
  #etag: string | undefined;

  constructor(content: string | Uint8Array, etag?: string) {
    this.bytes = typeof content === 'string' ? Buffer.from(content) : content;
    this.#etag = etag;
  }

  /** The body of a text in pieces, with pauses in which the event loop serves others. */
  static async of<Value>(
    pieces: Iterable<string>,
    pause: () => Promise<void>,
  ): Promise<SharedBody<Value>> {
    const hash = createHash('sha256');
    const chunks: Buffer[] = [];
    let text = '';
    const add = (): void => {
      const chunk = Buffer.from(text);
      hash.update(chunk);
      chunks.push(chunk);
      text = '';
    };
    for (const piece of pieces) {
      text += piece;
      if (text.length < pieceLength) continue;
      add();
      await pause();
    }
    add();
    return new SharedBody(Buffer.concat(chunks), etagOfHash(hash));
  }

  get etag(): string {
    return (this.#etag ??= etagOf(this.bytes));
  }

  /** The value again, as an object of its own. */
  get value(): Value {
    return JSON.parse(Buffer.from(this.bytes).toString()) as Value;
  }
}

/** The answers made from snapshots. They go with their snapshot. */
export class SharedAnswers<Value> {
  readonly #bySnapshot = new WeakMap<object, SharedWork<SharedBody<Value>>>();

  /**
   * The answer for a sender, made from a snapshot.
   *
   * @param key equal only for senders and requests to whom the answer is the same
   */
  of(
    snapshot: object,
    key: string,
    make: () => Promise<SharedBody<Value>>,
  ): Promise<SharedBody<Value>> {
    let answers = this.#bySnapshot.get(snapshot);
    if (!answers) {
      answers = new SharedWork(mostKept, ({ bytes }) => bytes.byteLength);
      this.#bySnapshot.set(snapshot, answers);
    }
    return answers.run(key, make);
  }
}

/** A weak ETag: the content is the same in every encoding. */
export function etagOf(bytes: Uint8Array): string {
  return etagOfHash(createHash('sha256').update(bytes));
}

/** The ETag of the bytes in a SHA-256 hash. */
function etagOfHash(hash: Hash): string {
  return `W/"${hash.digest('base64url').slice(0, 27)}"`;
}

/** Levels of objects and arrays that are divided; what is deeper is one piece. */
const mostLevels = 6;

/** Pieces whose concatenation is the text of `JSON.stringify`; none for a value that has no text. */
export function* jsonPieces(value: unknown, levels = mostLevels): Generator<string, void> {
  const isArray = Array.isArray(value);
  if (levels === 0 || (!isArray && !isPlain(value))) {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) yield text;
    return;
  }
  let before = isArray ? '[' : '{';
  yield before;
  before = '';
  for (const [name, member] of Object.entries(isArray ? Array.from(value) : value)) {
    const hasText =
      member !== undefined && typeof member !== 'function' && typeof member !== 'symbol';
    if (!isArray && !hasText) continue;
    yield isArray ? before : `${before}${JSON.stringify(name)}:`;
    if (hasText) yield* jsonPieces(member, levels - 1);
    else yield 'null';
    before = ',';
  }
  yield isArray ? ']' : '}';
}

/** Whether the text of an object is that of its members. A number with all its digits is a frozen object. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !Object.isFrozen(value);
}
