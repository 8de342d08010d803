/** The messages that run prepared statements, beside those of the driver. */

import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { runMessages } from '../../../src/relational/databases/postgresql/wire/messages.ts';

interface Serializer {
  bind(part: { readonly statement: string; readonly values: readonly unknown[] }): Buffer;
  execute(part: object): Buffer;
  sync(): Buffer;
}

const require = createRequire(createRequire(import.meta.url).resolve('pg'));
const { serialize } = require('pg-protocol') as { readonly serialize: Serializer };

/** A message: its letter and, of a Bind, its parts; the format codes, which are those of texts, are left out. */
interface Message {
  readonly letter: string;
  readonly portal?: string;
  readonly statement?: string;
  readonly values?: readonly (string | null)[];
}

/** Reads messages as the server does. */
function read(bytes: Buffer): Message[] {
  const found: Message[] = [];
  let at = 0;
  const int16 = (): number => bytes.readUInt16BE((at += 2) - 2);
  const int32 = (): number => bytes.readInt32BE((at += 4) - 4);
  const text = (length: number): string => bytes.toString('utf8', at, (at += length));
  const name = (): string => {
    const value = text(bytes.indexOf(0, at) - at);
    at += 1;
    return value;
  };
  const formats = (): void => {
    for (let left = int16(); left > 0; left -= 1) expect(int16()).toBe(0);
  };
  while (at < bytes.length) {
    const letter = text(1);
    const end = at + int32();
    if (letter === 'B') {
      const [portal, statement] = [name(), name()];
      formats();
      const values = Array.from({ length: int16() }, () => {
        const length = int32();
        return length < 0 ? null : text(length);
      });
      formats();
      found.push({ letter, portal, statement, values });
    } else if (letter === 'E') {
      found.push({ letter, portal: name() });
      expect(int32()).toBe(0);
    } else found.push({ letter });
    expect(at).toBe(end);
  }
  return found;
}

describe('the messages of runs', () => {
  it('are those of the driver', () => {
    const runs = [
      { name: 'sluice_1x2_3', values: ['', null, '1', 'true', 'ä€😀', '\ud800', 'x'.repeat(41)] },
      { name: 'ñame', values: [] },
      { name: 'long', values: ['ü'.repeat(70_000), null] },
    ];
    const driver = runs.flatMap(({ name, values }) => [
      serialize.bind({ statement: name, values }),
      serialize.execute({}),
    ]);
    const expected = read(Buffer.concat([...driver, serialize.sync()]));
    expect(expected.map(({ letter }) => letter).join('')).toBe('BEBEBES');
    expect(read(Buffer.from(runMessages(runs)))).toEqual(expected);
  });
});
