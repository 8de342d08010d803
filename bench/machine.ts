/** The heading of a run: machine, versions and load, which the figures depend on. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

const packages = [
  'drizzle-orm',
  'typeorm',
  'nestjs-paginate',
  '@prisma/client',
  'pg',
  'better-sqlite3',
  'mysql2',
  'qs',
];

/** The declared version of a package; read from its folder, because not every package exports its manifest. */
function versionOf(name: string): string {
  const searched = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const folder of searched) {
    try {
      const manifest: unknown = JSON.parse(
        readFileSync(join(folder, name, 'package.json'), 'utf8'),
      );
      if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) {
        return String(manifest.version);
      }
    } catch {
      continue;
    }
  }
  return 'absent';
}

/** Lines to print before the tables. */
export function heading(): string {
  const load = loadavg()
    .map((value) => value.toFixed(2))
    .join(' ');
  return [
    `${new Date().toISOString()}`,
    `${availableParallelism()} x ${cpus()[0]?.model ?? 'unknown processor'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, load ${load}`,
    `Node.js ${process.version}, ${packages.map((name) => `${name} ${versionOf(name)}`).join(', ')}`,
  ].join('\n');
}
