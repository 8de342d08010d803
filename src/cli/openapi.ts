/** `sluice openapi`: prints the OpenAPI document of a board. */

import { writeFile } from 'node:fs/promises';
import { openApiDocument } from '../board/index.ts';
import { UsageError, readFlags } from './command.ts';
import type { Command, CommandOutput, ExitCode } from './command.ts';

const usage = `Usage: sluice openapi [--engine <kvq|pgq>] [--base-path </path>] [--out <file>]

Prints the OpenAPI 3.1.0 document of a board with every route that it can serve. A running board
serves the document of its own routes at /api/openapi.json.

  --engine <name>      kvq (BullMQ and Bull, the default) or pgq (pg-boss)
  --base-path </path>  path of the board, for the servers of the document
  --out <file>         write to a file
  --help               show this help

Exit codes: 0 success, 1 failure, 2 invalid usage.
`;

const flags = {
  engine: { type: 'string' },
  'base-path': { type: 'string' },
  out: { type: 'string' },
} as const;

export const openApiCommand: Command = { usage, run };

async function run(args: readonly string[], { out }: CommandOutput): Promise<ExitCode> {
  const { engine = 'kvq', 'base-path': basePath, out: file } = readFlags(args, flags);
  if (engine !== 'kvq' && engine !== 'pgq') throw new UsageError('--engine must be kvq or pgq.');
  const document = openApiDocument({ engine });
  const servers = basePath === undefined ? undefined : [{ url: basePath || '/' }];
  const text = `${JSON.stringify({ ...document, ...(servers && { servers }) }, null, 2)}\n`;
  if (file === undefined) out(text);
  else await writeFile(file, text);
  return 0;
}
