/** The reader of a connection's messages, beside the parser of `pg`: the same rows, and no byte lost. */

import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import {
  type ParseText,
  rowValues,
} from '../../../src/relational/databases/postgresql/wire/data-row.ts';
import { readerOf } from '../../../src/relational/databases/postgresql/wire/message-reader.ts';

interface Message {
  readonly name: string;
  readonly fields?: readonly (string | null)[];
}

const require = createRequire(createRequire(import.meta.url).resolve('pg'));
const { parse } = require('pg-protocol') as {
  parse(stream: EventEmitter, take: (message: Message) => void): unknown;
};

function message(code: string, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const head = Buffer.alloc(5);
  head.write(code);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const int = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeIntBE(value, 0, bytes);
  return buffer;
};

const row = (...values: (string | null)[]): Buffer =>
  message(
    'D',
    int(values.length, 2),
    ...values.flatMap((value) =>
      value === null ? [int(-1, 4)] : [int(Buffer.byteLength(value), 4), value],
    ),
  );

const ready = message('Z', 'I');
const notice = message('N', 'SNOTICE\0C00000\0Mnot "é" yet\0\0');
const notification = message('A', int(7, 4), 'channel\0payload\0');
const status = message('S', 'TimeZone\0UTC\0');
const refusal = message('E', 'SERROR\0C22012\0Mdivision by zero\0\0');
const done = message('C', 'SELECT 2\0');
const bound = message('2');

const rows = [
  ['1', 'name', null, '', 'é\u2028𝄞', 'x'.repeat(127), 'y'.repeat(300), 't'],
  ['-2147483648', 'a"b\\c', '\n', 'NaN', 'é'.repeat(40), 'z'.repeat(64), null, 'f'],
];
const parsers: readonly ParseText[] = [
  Number,
  null,
  null,
  null,
  null,
  null,
  null,
  (text) => text === 't',
];
const expected = rows.map((values) => [
  Number(values[0]),
  ...values.slice(1, -1),
  values[7] === 't',
]);

/** A connection: its socket, what its driver hears, and the rows that are read before it. `held` came earlier. */
function connection(held: Buffer = Buffer.alloc(0)) {
  const stream = new EventEmitter();
  const heard: string[] = [];
  const taken: unknown[] = [];
  let whenReady = (): void => undefined;
  void parse(stream, ({ name, fields }) => {
    heard.push(name);
    if (fields) taken.push(fields);
    if (name === 'readyForQuery') {
      readerOf(stream)?.ended();
      whenReady();
    }
  });
  stream.emit('data', held);
  const target = {
    takeRow: (bytes: Buffer, begin: number, end: number) =>
      taken.push(rowValues(bytes, begin, end, parsers.slice(0, bytes.readUInt16BE(begin)))),
    handleCommandComplete: () => taken.push('complete'),
  };
  const reader = readerOf(stream);
  return {
    stream,
    heard,
    taken,
    begin: () => reader?.begin(target),
    onReady: (then: () => void) => (whenReady = then),
    send: (...chunks: Buffer[]) => {
      // The parser of the driver moves bytes within the chunks that it holds.
      for (const chunk of chunks) stream.emit('data', Buffer.from(chunk));
    },
  };
}

/** A connection whose reader has found its place. */
function proven() {
  const made = connection();
  made.send(Buffer.concat([bound, row('1'), done, ready]));
  made.heard.length = 0;
  made.taken.length = 0;
  return made;
}

const answer = Buffer.concat([
  bound,
  row(...(rows[0] as string[])),
  notice,
  row(...(rows[1] as string[])),
  done,
  notification,
  bound,
  done,
  status,
  ready,
  notice,
]);
const rowsOfAnswer = [...expected, 'complete', 'complete'];
const heardOfAnswer = ['notice', 'notification', 'parameterStatus', 'readyForQuery', 'notice'];

describe('the reader of messages', () => {
  it('reads an answer that is split at any byte, and passes the rest on in order', () => {
    for (let at = 0; at <= answer.length; at += 1) {
      const { begin, send, heard, taken } = proven();
      for (let run = 0; run < 2; run += 1) {
        begin();
        send(answer.subarray(0, at), answer.subarray(at));
      }
      expect([at, heard]).toEqual([at, [...heardOfAnswer, ...heardOfAnswer]]);
      expect([at, taken]).toEqual([at, [...rowsOfAnswer, ...rowsOfAnswer]]);
    }
  });

  it.each([1, 2, 3, 5, 7])('reads it in chunks of %i bytes', (size) => {
    const { begin, send, heard, taken } = proven();
    begin();
    for (let at = 0; at < answer.length; at += size) send(answer.subarray(at, at + size));
    expect(heard).toEqual(heardOfAnswer);
    expect(taken).toEqual(rowsOfAnswer);
  });

  it('leaves answers to the driver until it has found the end of one in the same place', () => {
    const own = Buffer.concat([bound, row('1'), done, ready]);
    for (let held = 0; held < notice.length; held += 1) {
      const { begin, send, heard, taken } = connection(notice.subarray(0, held));
      begin();
      send(Buffer.concat([notice.subarray(held), own]));
      const first = ['notice', 'bindComplete', 'dataRow', 'commandComplete', 'readyForQuery'];
      expect([held, heard, taken]).toEqual([held, first, [['1']]]);
      begin();
      send(own);
      expect([held, taken.slice(0, 2)]).toEqual([held, [['1'], held === 0 ? [1] : ['1']]]);
      expect([held, heard.at(-1)]).toEqual([held, 'readyForQuery']);
    }
  });

  it('passes answers of others to the driver, whole and split', () => {
    const { begin, send, heard, taken } = proven();
    const own = Buffer.concat([bound, row('1'), done, ready]);
    const others = ['bindComplete', 'dataRow', 'commandComplete', 'readyForQuery'];
    for (let at = 0; at <= own.length; at += 1) {
      heard.length = 0;
      taken.length = 0;
      send(own.subarray(0, at), own.subarray(at));
      expect([heard, taken]).toEqual([others, [['1']]]);
      begin();
      send(answer);
      expect(heard).toEqual([...others, ...heardOfAnswer]);
    }
  });

  it('gives no row to a target whose message of the driver is not complete', () => {
    const { begin, send, heard, taken } = proven();
    send(notice.subarray(0, 9));
    begin();
    send(Buffer.concat([notice.subarray(9), bound, row('1'), done, ready]));
    expect(heard).toEqual([
      'notice',
      'bindComplete',
      'dataRow',
      'commandComplete',
      'readyForQuery',
    ]);
    expect(taken).toEqual([['1']]);
  });

  it('serves the query that is sent while the driver reports the end of the one before', () => {
    const { begin, send, heard, taken, onReady } = proven();
    begin();
    onReady(() => begin());
    send(answer);
    send(answer);
    expect(heard).toEqual([...heardOfAnswer, ...heardOfAnswer]);
    expect(taken).toEqual([...rowsOfAnswer, ...rowsOfAnswer]);
  });

  it('leaves errors to the driver', () => {
    const { begin, send, heard, taken } = proven();
    begin();
    send(Buffer.concat([bound, row(...(rows[0] as string[])), refusal, ready]));
    expect(heard).toEqual(['error', 'readyForQuery']);
    expect(taken).toEqual([expected[0]]);
  });

  it('passes everything on when a message cannot be one', () => {
    const { begin, send, heard, taken } = proven();
    begin();
    send(Buffer.concat([bound, row(...(rows[0] as string[]))]));
    send(Buffer.from([0x44, 0xff, 0xff, 0xff, 0xff, 1, 2, 3]));
    expect([heard, taken]).toEqual([[], [expected[0]]]);
    begin();
    send(Buffer.concat([bound, row('1'), done, ready]));
    // The driver waits for the end of the message that has no end.
    expect([heard, taken]).toEqual([[], [expected[0]]]);
  });

  it('loses no byte when a listener of the driver throws', () => {
    const { begin, send, heard, taken, onReady } = proven();
    begin();
    onReady(() => {
      onReady(() => undefined);
      throw new Error('A listener has failed.');
    });
    expect(() => send(Buffer.concat([bound, ready, notice]))).toThrow('A listener has failed.');
    begin();
    send(Buffer.concat([bound, row('1'), done, ready]));
    // The driver reads the message during which its listener failed once more.
    expect(heard).toEqual([
      'readyForQuery',
      'readyForQuery',
      'notice',
      'bindComplete',
      'dataRow',
      'commandComplete',
      'readyForQuery',
    ]);
    expect(taken).toEqual([['1']]);
  });

  it('is not installed where others listen, and once where nobody else does', () => {
    const shared = new EventEmitter();
    expect(readerOf(shared)).toBeUndefined();
    shared.once('data', () => undefined);
    expect(readerOf(shared)).toBeUndefined();
    shared.removeAllListeners();
    shared.on('data', () => undefined);
    shared.on('data', () => undefined);
    expect(readerOf(shared)).toBeUndefined();
    const { stream } = connection();
    const reader = readerOf(stream);
    expect(readerOf(stream)).toBe(reader);
    expect(stream.listenerCount('data')).toBe(1);
    expect(readerOf({ on: () => undefined, off: () => undefined })).toBeUndefined();
  });
});

describe('the values of a row', () => {
  const read = (parse: ParseText, text: string): unknown => {
    const bytes = row(text);
    return rowValues(bytes, 5, bytes.length, [parse])[0];
  };

  it('are numbers as the driver reads them', () => {
    const texts = [
      '0',
      '-0',
      '7',
      '-7',
      '2147483647',
      '-2147483648',
      '12345678901',
      '1.5',
      '',
      '-',
    ];
    for (const text of texts) expect([text, read(Number, text)]).toEqual([text, Number(text)]);
  });

  it('are texts of any length and alphabet', () => {
    for (const part of ['a', 'é', '漢', '𝄞', '\u007f', '\u0080', '\0'.repeat(1)]) {
      for (const length of [1, 12, 13, 31, 32, 63, 64, 65, 5000]) {
        const text = part.repeat(length);
        expect(read(null, text)).toBe(text);
      }
    }
  });

  it('are what the driver reads from bytes that are not text', () => {
    const bytes = row('????');
    bytes.set([0xc3, 0x28, 0xe2, 0x82], bytes.length - 4);
    expect(rowValues(bytes, 5, bytes.length, [null])).toEqual([
      bytes.toString('utf8', bytes.length - 4),
    ]);
  });
});
