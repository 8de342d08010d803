/** What the engine's own source may hold: SQL in five named places, none of it a listing, none of it DDL. */

import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = new URL('../../../src/board/pgq/', import.meta.url);

/** Where SQL is written by hand, and what for. */
const places = {
  'depth.ts': 'the buckets of the depth route',
  'gathered.ts': 'statements of Sluice’s put together as one',
  'info.ts': 'whether snapshots and warnings are kept, and the statistics of the server',
  'instance-channel.ts': 'rows of any statement as JSON',
  'schema-probe.ts': 'version, columns and indexes out of the catalogue',
};

const files = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(new URL(name, folder), 'utf8'),
}));

/** SQL begins a text, a line or a parenthesis; in prose the word stands between others. */
const handWritten = /[`'"\n(](select|insert|update|delete|with)\s/;

it('writes SQL by hand in named places alone', () => {
  const found = files.filter(({ text }) => handWritten.test(text)).map(({ name }) => name);
  expect(found.sort()).toEqual(Object.keys(places));
});

it('writes none over jobs, schedules, dependencies or the rows of queues', () => {
  for (const { name, text } of files) {
    const tables = [...text.matchAll(/\bfrom\s+"\$\{schema\}"\.(\w+)/gi)].map(([, table]) => table);
    expect({
      name,
      tables: tables.filter((table) => table !== 'version' && table !== 'queue_stats'),
    }).toEqual({ name, tables: [] });
  }
});

it('runs no DDL; the only one it holds is advice', () => {
  const ddl = files
    .filter(({ text }) =>
      /\b(create|alter|drop)\s+(index|table|schema|type|function)\b/i.test(text),
    )
    .map(({ name }) => name);
  expect(ddl).toEqual(['index-advice.ts']);
});
