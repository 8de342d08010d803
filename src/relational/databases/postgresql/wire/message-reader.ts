/**
 * Reads the server's messages on a connection of `pg` before the driver's parser. While the rows of a round trip arrive,
 * they are read here, without the driver's objects, arrays and events for each of them; all other bytes reach the driver
 * unchanged and in order.
 */

/** Takes the messages that the driver does not see. */
export interface MessageTarget {
  /** Takes a DataRow, whose content is between `begin` and `end`. */
  takeRow(bytes: Buffer, begin: number, end: number): void;
  handleCommandComplete(): void;
}

type Listener = (chunk: Buffer) => void;

/** The part of the connection's socket that is used. */
export interface ReadStream {
  rawListeners?(event: 'data'): readonly unknown[];
  on(event: 'data', listener: Listener): unknown;
  off(event: 'data', listener: Listener): unknown;
}

/** Code and length. */
const header = 5;
/** The server sends no message of a gigabyte. */
const longest = 2 ** 30;

const codes = { bindComplete: 0x32, dataRow: 0x44, commandComplete: 0x43, ready: 0x5a } as const;

const isLength = (length: number): boolean => length >= 4 && length < longest;

const readers = new WeakMap<object, MessageReader>();

/**
 * The reader of a connection's socket, which the first call installs; `undefined` where others than the driver listen to
 * the socket.
 */
export function readerOf(stream: ReadStream): MessageReader | undefined {
  const known = readers.get(stream);
  if (known) return known;
  const [driver, ...others] = stream.rawListeners?.('data') ?? [];
  // The listener for one event has its original as a property.
  if (typeof driver !== 'function' || 'listener' in driver || others.length > 0) return undefined;
  const reader = new MessageReader(driver.bind(stream) as Listener);
  readers.set(stream, reader);
  stream.on('data', (chunk) => reader.receive(chunk));
  stream.off('data', driver as Listener);
  return reader;
}

/** The messages of one connection. */
export class MessageReader {
  readonly #driver: Listener;
  /** Where rows go; `undefined` while the driver reads. */
  #target: MessageTarget | undefined;
  /**
   * Whether messages begin where this reader believes. When it is installed, the driver may hold the beginning of a
   * message, so it first has to find the end of an answer in the same place as the driver.
   */
  #isProven = false;
  /** Whether the bounds of messages are lost; then the driver reads everything. */
  #isLost = false;

  /** Of the last message that the driver reads: bytes of its header so far, its code, its length, and bytes to come. */
  #seen = 0;
  #code = 0;
  #length = 0;
  #left = 0;

  /** The parts of a message that is read here, and their bytes. */
  #parts: Buffer[] = [];
  #held = 0;
  /** The bytes of parts with which reading can continue. */
  #needed = 0;

  constructor(driver: Listener) {
    this.#driver = driver;
  }

  /** Gives the rows of the query that is sent next to the target; no effect where bounds of messages are not known. */
  begin(target: MessageTarget): void {
    if (this.#isProven && this.#isBetween) this.#target = target;
  }

  /** To be called when the driver reports the end of an answer. */
  ended(): void {
    if (this.#isBetween && this.#code === codes.ready && !this.#isLost) this.#isProven = true;
  }

  /** Whether the bytes that went to the driver end between two messages. */
  get #isBetween(): boolean {
    return this.#left === 0 && this.#seen === 0;
  }

  /** Takes the next bytes of the connection. */
  receive(chunk: Buffer): void {
    let rest = this.#joined(chunk);
    while (rest && rest.length > 0) {
      rest = this.#target ? this.#read(rest, this.#target) : this.#pass(rest);
    }
  }

  /** Passes bytes to the driver and follows the bounds of their messages. `behind` is the rest of the chunk. */
  #pass(bytes: Buffer, behind?: Buffer): undefined {
    if (!this.#isLost) this.#follow(bytes);
    try {
      this.#driver(bytes);
    } catch (error) {
      // A listener has thrown. The driver reads the same bytes again together with the next ones.
      this.#lose();
      if (behind) this.#hold(behind, 0);
      throw error;
    }
  }

  #lose(): void {
    this.#isLost = true;
    this.#isProven = false;
    this.#target = undefined;
  }

  /** Finds out where the messages of the driver end. */
  #follow(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, bytes.length - at);
        this.#left -= taken;
        at += taken;
      } else if (this.#seen === 0 && at + header <= bytes.length) {
        this.#code = bytes[at] as number;
        this.#length = bytes.readUInt32BE(at + 1);
        this.#seen = header;
        at += header;
      } else {
        const byte = bytes[at] as number;
        if (this.#seen === 0) this.#code = byte;
        // The first byte of the length replaces the length of the message before.
        else this.#length = (this.#seen === 1 ? 0 : this.#length * 256) + byte;
        this.#seen += 1;
        at += 1;
      }
      if (this.#seen < header) continue;
      if (!isLength(this.#length)) {
        this.#lose();
        return;
      }
      this.#left = this.#length - 4;
      this.#seen = 0;
    }
  }

  /** The bytes behind those that are held; `undefined` while they are too few to continue. */
  #joined(bytes: Buffer): Buffer | undefined {
    if (this.#held === 0) return bytes;
    this.#hold(bytes, this.#needed);
    if (this.#held < this.#needed) return undefined;
    const joined = Buffer.concat(this.#parts, this.#held);
    this.#parts = [];
    this.#held = 0;
    return joined;
  }

  /** Holds bytes until there are as many as needed. */
  #hold(bytes: Buffer, needed: number): void {
    this.#parts.push(bytes);
    this.#held += bytes.length;
    this.#needed = needed;
  }

  /** Reads the messages of a target. Returns bytes that are still to be read. */
  #read(bytes: Buffer, target: MessageTarget): Buffer | undefined {
    let at = 0;
    while (at + header <= bytes.length) {
      const length = bytes.readUInt32BE(at + 1);
      if (!isLength(length)) {
        this.#lose();
        return bytes.subarray(at);
      }
      const end = at + 1 + length;
      if (end > bytes.length) {
        this.#hold(bytes.subarray(at), end - at);
        return undefined;
      }
      const code = bytes[at];
      if (code === codes.dataRow) target.takeRow(bytes, at + header, end);
      else if (code === codes.commandComplete) target.handleCommandComplete();
      else if (code !== codes.bindComplete) {
        const isLast = code === codes.ready;
        // The driver may send the next query before it returns.
        if (isLast) this.#target = undefined;
        this.#pass(bytes.subarray(at, end), bytes.subarray(end));
        if (isLast) return bytes.subarray(end);
      }
      at = end;
    }
    if (at < bytes.length) this.#hold(bytes.subarray(at), header);
    return undefined;
  }
}
