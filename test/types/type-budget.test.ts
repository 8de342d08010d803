/** A registry of a hundred models, each with rules, type-checks within a budget. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compile } from '../../tools/tsc.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'node_modules/.cache/sluice-type-budget');

/** Tables in a ring: every model has the next one as parent and the previous one as children. */
function source(models: number, rulesPath: string): string {
  const names = Array.from({ length: models }, (_, index) => `m${index}`);
  const next = (index: number) => names[(index + 1) % models];
  const before = (index: number) => names[(index + models - 1) % models];
  return [
    `import { relations } from 'drizzle-orm';`,
    `import * as pg from 'drizzle-orm/pg-core';`,
    `import { drizzleRegistry } from '../../../src/adapters/drizzle/index.ts';`,
    `import { defineQueryRules } from '../../../src/index.ts';`,
    ...names.map(
      (name) =>
        `const ${name} = pg.pgTable('${name}', { id: pg.integer().primaryKey(), name: pg.text().notNull(), nameFolded: pg.text().notNull(), size: pg.text({ enum: ['s', 'm'] }), price: pg.numeric(), at: pg.timestamp().notNull(), parentId: pg.integer().notNull() });`,
    ),
    ...names.map(
      (name, index) =>
        `const ${name}Relations = relations(${name}, ({ one, many }) => ({ parent: one(${next(index)}, { fields: [${name}.parentId], references: [${next(index)}.id] }), children: many(${before(index)}) }));`,
    ),
    `const registry = drizzleRegistry({ ${names.join(', ')} }, { ${names.map((name) => `${name}Relations`).join(', ')} });`,
    ...names.map(
      (name) =>
        `export const ${name}Rules = defineQueryRules(registry, '${name}', { filters: [{ path: 'name', operators: ['eq', 'ilike'] }, { path: 'parent.parent.price', operators: ['gte'] }, { path: '${rulesPath}', operators: ['eq'] }], sorts: ['name', 'parent.at'], fields: { root: { allowed: ['id', 'name'], default: ['id'] }, relations: { parent: { allowed: ['parent.*'], default: ['id'] } } }, includes: ['parent'], search: ['name', 'parent.name'] });`,
    ),
    '',
  ].join('\n');
}

async function check(models: number, rulesPath: string): Promise<string> {
  await writeFile(join(folder, 'models.ts'), source(models, rulesPath));
  return compile(root, '-p', folder, '--extendedDiagnostics');
}

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  const config = { extends: join(root, 'tsconfig.json'), include: ['models.ts'], files: [] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function instantiationsIn(report: string): number {
  return Number(/Instantiations:\s+(\d+)/.exec(report)?.[1]);
}

it('grows with the models and not with their square', { timeout: 240_000 }, async () => {
  const hundred = await check(100, 'children.children.size');
  expect(hundred).not.toMatch(/error TS/);
  const fifty = await check(50, 'children.children.size');
  // Drizzle itself needs about 4,200 instantiations for each table with its relations.
  expect(instantiationsIn(hundred) / 100).toBeLessThan(15_000);
  expect(instantiationsIn(hundred) / instantiationsIn(fifty)).toBeLessThan(2.2);
});

it('finds a wrong path in every one of them', { timeout: 240_000 }, async () => {
  const report = await check(100, 'children.children.siez');
  expect(report.match(/error TS/g)).toHaveLength(100);
});
