/** The compiler's messages for wrong rules name the mistake and the names that exist, in a few lines. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compile } from '../../tools/tsc.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Wrong arguments of `defineQueryRules` after the registry, and a part of the message. */
const mistakes: readonly (readonly [code: string, message: string])[] = [
  [
    `'city', { fields, sorts: ['nmae'] }`,
    `RefusedName<"city has no visible field or relation nmae; it has", "active" | "country" | "id" | "name" | "population">`,
  ],
  [
    `'city', { fields, filters: [{ path: 'country.nmae', operators: ['eq'] }] }`,
    `RefusedName<"country has no visible field or relation nmae; it has", "cities" | "name">`,
  ],
  [
    `'city', { fields, filters: [{ path: 'cuntry.name', operators: ['eq'] }] }`,
    `RefusedName<"city has no relation cuntry; it has", "country">`,
  ],
  [`'town', { fields }`, `'"town"' is not assignable to parameter of type '"city" | "country"'`],
  [
    `'city', { fields, filters: [{ path: 'name', operators: ['isNull'] }] }`,
    `RefusedName<"isNull does not apply to name, which is string, never null; use", "between" |`,
  ],
  [
    `'city', { fields, filters: [{ path: 'active', operators: ['like'] }] }`,
    `RefusedName<"like does not apply to active, which is boolean, never null; use", "between" |`,
  ],
  [
    `'city', { fields, filters: [{ path: 'name', operators: ['contains'] }] }`,
    `RefusedName<"contains does not apply to name, which is string, never null; use", "between" |`,
  ],
  [
    `'city', { fields, filters: [{ path: 'nmae', operators: ['contains'] }] }`,
    `RefusedName<"city has no visible field or relation nmae; it has", "active" |`,
  ],
  [
    `'city', { fields, search: ['population'] }`,
    `Refused<"search needs a string, uuid or enum, not integer">`,
  ],
  [
    `'city', { fields: { root: { allowed: ['id'], default: ['name'] } } }`,
    `RefusedName<"allowed does not name name; it names", "id">`,
  ],
  [
    `'city', { fields, includes: ['country'] }`,
    `Refused<"country has no projection; add it under fields.relations">`,
  ],
  [
    `'city', { fields, sort: [] }`,
    `RefusedName<"rules have no sort; they have", keyof QueryRulesDeclaration>`,
  ],
  [
    `'city', { fields }, { maxPerPage: 10, defaultPerPage: 20 }`,
    `Refused<"defaultPerPage is above maxPerPage, which is 10">`,
  ],
];

/** Two mistakes in one call; neither may hide the other. */
const twoMistakes = `'city', { fields, sorts: ['nmae'], filters: [{ path: 'name', operators: ['contains'] }] }`;

const program = `import { Column, Entity, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import type { Relation, Repository } from 'typeorm';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
@Entity() class Country {
  @PrimaryColumn() name!: string;
  @OneToMany(() => City, (city) => city.country) cities!: Relation<City>[];
}
@Entity() class City {
  @PrimaryColumn() id!: number;
  @Column() name!: string;
  @Column() population!: number | null;
  @Column() active!: boolean;
  @ManyToOne(() => Country) country!: Relation<Country>;
}
const registry = typeormRegistry({ city: City, country: Country });
const fields = { root: { allowed: ['id', 'name'], default: ['id'] } } as const;
const rules = defineQueryRules(registry, 'country', { fields: { root: { allowed: ['name'], default: ['name'] } } });
export const pair = (cities: Repository<City>) => runQuery(typeormSource(cities), '', rules);
`;

/** The lines of the program; the calls follow. */
const lines = program.split('\n').length;

let folder: string;
let report: string;

beforeAll(async () => {
  await mkdir(join(root, '.scratch'), { recursive: true });
  folder = await mkdtemp(join(root, '.scratch/messages-'));
  const calls = [...mistakes, [twoMistakes]].map(
    ([code]) => `defineQueryRules(registry, ${code});`,
  );
  await writeFile(join(folder, 'rules.ts'), [program, ...calls].join('\n'));
  const config = { extends: join(root, 'tsconfig.json'), include: ['rules.ts'] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  report = await compile(root, '-p', folder);
}, 240_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The message for a line of the program. */
function messageAt(line: number): string {
  const all = report.split(/^(?=\S)/m);
  return all.filter((message) => message.includes(`rules.ts(${line},`)).join('');
}

it.each(mistakes.map(([code, message], index) => [code, message, lines + index + 1] as const))(
  'explains %s',
  (_code, message, line) => {
    const said = messageAt(line);
    expect(said).toContain(message);
    expect(said.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
    expect(said.length).toBeLessThan(900);
  },
);

it('explains a source of another model', () => {
  const line = lines - 1;
  expect(messageAt(line)).toContain(
    'Refused<"the source lists another entity, the rules are for country">',
  );
  expect(messageAt(line).length).toBeLessThan(1500);
});

it('explains a wrong path beside a wrong operator', () => {
  const said = messageAt(lines + mistakes.length + 1);
  expect(said).toContain('city has no visible field or relation nmae');
  expect(said).toContain('contains does not apply to name');
});

it('reports nothing else', () => {
  const said = report.split('\n').filter((line) => line.includes('error TS'));
  expect(said.map((line) => Number(/\((\d+),/.exec(line)?.[1]))).toEqual([
    lines - 1,
    ...mistakes.map((_mistake, index) => lines + index + 1),
    lines + mistakes.length + 1,
    lines + mistakes.length + 1,
  ]);
});
