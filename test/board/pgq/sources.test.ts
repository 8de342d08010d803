/** The source of the engine: handwritten SQL in named files, without listings and DDL. */

import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = new URL('../../../src/board/pgq/', import.meta.url);

/** Files with handwritten SQL, and its purpose. */
const handWrittenIn = {
  'commands/filtered-jobs.ts': 'the jobs of a part of a run, locked or deleted by set',
  'commands/locked-jobs.ts':
    'the rows that a command locks or claims, and which of them others wait for',
  'commands/purge.ts': 'the deletion of jobs by set, under locks that workers pass by',
  'commands/run-reads.ts': 'the clock of the database',
  'commands/sent-once.ts': 'the jobs that have been sent with an idempotency key',
  'commands/sweep.ts':
    'the deletion of the jobs of a filter by set, block by block, as their conditions decide',
  'commands/undo.ts': 'what runs take from their jobs, and how these get it back',
  'connect/command-database.ts': 'the time limits of a transaction',
  'connect/instance-channel.ts': 'rows of any statement as JSON',
  'handlers/holds.ts': 'what holds one job back, of the jobs of its queue',
  'reads/activity.ts': 'the minutes of all queues',
  'reads/blocks.ts': 'the number of blocks of the table of jobs',
  'reads/depth.ts': 'the buckets of the depth route',
  'reads/failures.ts': 'the errors of failed jobs, block by block',
  'reads/info.ts': 'whether snapshots and warnings are kept, and the statistics of the server',
  'reads/job-columns.ts': 'values within the data and output of the jobs of a page',
  'reads/running.ts': 'the median of how long the last jobs of a queue ran',
  'reads/timeline.ts': 'the jobs of a queue by minute or hour',
  'schema/schema-probe.ts': 'version, columns and indexes out of the catalogue',
};

/** Files that read jobs under locks or delete them by set, as no listing does. */
const lockingFiles = ['filtered-jobs', 'locked-jobs', 'purge', 'sent-once', 'sweep', 'undo'].map(
  (name) => `commands/${name}.ts`,
);

/** Files that count or measure jobs in groups, as no listing does, within the scope of the sender. */
const countingFiles = [
  'handlers/holds.ts',
  'reads/failures.ts',
  'reads/running.ts',
  'reads/timeline.ts',
];

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));

/** SQL starts a string, a line or a parenthesis; in prose, the word is between others. */
const handWritten = /[`'"\n(](select|insert|update|delete|with)\s/;

it('has handwritten SQL only in the named files', () => {
  const found = files.filter(({ text }) => handWritten.test(text)).map(({ name }) => name);
  expect(found.sort()).toEqual(Object.keys(handWrittenIn));
});

it('has no handwritten SQL over jobs, schedules, dependencies or queues, besides those of commands that lock and of counts', () => {
  for (const { name, text } of files) {
    if (lockingFiles.includes(name) || countingFiles.includes(name)) continue;
    const tables = [...text.matchAll(/\bfrom\s+"\$\{[\w.]+\}"\.(\w+)/gi)].map(([, table]) => table);
    expect({
      name,
      tables: tables.filter((table) => table !== 'version' && table !== 'queue_stats'),
    }).toEqual({ name, tables: [] });
  }
});

it('runs no DDL; it contains DDL only as advice', () => {
  const ddl = files
    .filter(({ text }) =>
      /\b(create|alter|drop)\s+(index|table|schema|type|function)\b/i.test(text),
    )
    .map(({ name }) => name);
  expect(ddl).toEqual(['schema/index-advice.ts']);
});
