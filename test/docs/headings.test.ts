/**
 * Each section of the documents and each route is shown by a test: by a file of the subject that names much of what the
 * code of the section names, or by one of the list below. A section without a test says why.
 */

import { existsSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { routeTable } from '../../src/board/contract/index.ts';
import { documents, read } from './documents.ts';

const cwd = fileURLToPath(new URL('../..', import.meta.url));
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.match(/--[a-z][a-z-]*|[A-Za-z_$][\w$]*/g));

/** The folders of tests that are about a document. */
const subjects: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['newcomer', 'demo', 'cli', 'http', 'docs', 'board'],
  'docs/adapters.md': ['unit/adapters', 'unit/relational', 'sql'],
  'docs/auth.md': ['auth', 'http/mounts'],
  'docs/board.md': ['board', 'telemetry', 'newcomer', 'http'],
  'docs/bundling.md': ['newcomer', 'runtimes', 'package'],
  'docs/bull-board.md': ['migrate', 'board', 'newcomer'],
  'docs/client.md': ['client', 'unit/rules'],
  'docs/command-line.md': ['cli', 'newcomer'],
  'docs/cheat-sheet.md': ['unit/rules'],
  'docs/companions.md': ['companions'],
  'docs/compatibility.md': ['cli', 'client', 'unit/rules', 'docs'],
  'docs/computed-fields.md': ['matrix', 'sql', 'docs'],
  'docs/dashboard.md': ['dashboard', 'board/core'],
  'docs/demo.md': ['demo', 'board'],
  'docs/drizzle.md': ['drizzle', 'unit/adapters/drizzle', 'docs', 'existing', 'newcomer'],
  'docs/errors.md': ['unit', 'http'],
  'docs/existing.md': ['existing'],
  'docs/frameworks.md': ['http', 'telemetry', 'newcomer', 'runtimes'],
  'docs/init.md': ['cli', 'newcomer'],
  'docs/json-paths.md': ['matrix', 'sql'],
  'docs/kubernetes.md': ['package'],
  'docs/matrix.md': ['matrix'],
  'docs/metrics.md': ['metrics', 'dashboard'],
  'docs/nestjs-paginate.md': ['migrate', 'docs', 'typeorm', 'unit/rules', 'http'],
  'docs/nestjs.md': ['http', 'newcomer'],
  'docs/overview.md': ['http', 'unit/rules', 'sql', 'newcomer'],
  'docs/prisma.md': ['prisma', 'types', 'matrix'],
  'docs/profile.md': ['profile', 'plans'],
  'docs/queue-adapters.md': ['board/kvq'],
  'docs/requests.md': ['unit/rules', 'http', 'matrix', 'hostile'],
  'docs/rules.md': ['unit/rules', 'unit/options'],
  'docs/scale.md': ['scale', 'existing'],
  'docs/sql.md': ['sql', 'docs'],
  'docs/start.md': ['newcomer', 'package'],
  'docs/tenants.md': ['sql', 'unit/rules', 'hostile', 'prisma', 'http'],
  'docs/time-limits.md': ['matrix', 'sql'],
  'docs/typeorm.md': ['typeorm', 'types'],
};

/** The tests that run the blocks of guides, as the guides have them: they show each of their sections. */
const runOf: Readonly<Record<string, string>> = {
  'docs/guides/admin-table.md': 'test/docs/guides/in-browser.test.ts',
  'docs/guides/alerts.md': 'test/docs/guides/boards.test.ts',
  'docs/guides/debounced-search.md': 'test/docs/guides/in-browser.test.ts',
  'docs/guides/docker.md': 'test/newcomer/bundlers.test.ts',
  'docs/guides/incidents.md': 'test/docs/guides/boards.test.ts',
  'docs/guides/large-tables.md': 'test/docs/guides/lists.test.ts',
  'docs/guides/pagination.md': 'test/docs/guides/in-browser.test.ts',
  'docs/guides/permissions.md': 'test/docs/guides/boards.test.ts',
  'docs/guides/redaction.md': 'test/docs/guides/boards.test.ts',
  'docs/guides/replicas.md': 'test/docs/guides/lists.test.ts',
  'docs/guides/serverless.md': 'test/newcomer/bundlers.test.ts',
  'docs/guides/shared-rules.md': 'test/docs/guides/lists.test.ts',
  'docs/guides/soft-delete.md': 'test/docs/guides/lists.test.ts',
  'docs/guides/testing.md': 'test/docs/guides/lists.test.ts',
  'docs/guides/upgrading.md': 'test/docs/guides/lists.test.ts',
};

const compared = 'explanation only: another library in the terms of this one';
const notRun = 'explanation only: says that no such server was available';

/** Sections that the rule does not find: the file that shows them and a word of it, or the reason. */
const others: Readonly<Record<string, string | readonly [file: string, word: string]>> = {
  'README.md Where to find it': 'explanation only: a list of the pages',
  'docs/arena.md Mounting': ['test/docs/code-blocks.test.ts', 'blocks'],
  'docs/arena.md Where they differ': compared,
  'docs/board.md HTTP API': ['test/board/kvq/guard-table.test.ts', 'COMPLETED_RETRIES_DISABLED'],
  'docs/board.md Browser security': ['test/board/core/answers.test.ts', 'cross-site'],
  'docs/companions.md Effects on a table in use': ['test/companions/write-while-locked.ts', 'lock'],
  'docs/companions.md Without companions': ['test/sql/null-order.test.ts', 'portable'],
  'docs/comparison.md Lists': ['test/docs/comparison.test.ts', 'Lists'],
  'docs/comparison.md Requests that are wrong': ['test/docs/comparison.test.ts', 'mistakeTitles'],
  'docs/comparison.md Boards': ['test/docs/comparison.test.ts', 'Boards'],
  'docs/comparison.md Installation': ['test/docs/comparison.test.ts', 'Installation'],
  'docs/comparison.md What they do better': ['test/docs/comparison.test.ts', 'better'],
  'docs/computed-fields.md Adapters': ['test/matrix/typeorm-cell.ts', 'withComputedFields'],
  'docs/computed-fields.md Indexes': ['test/sql/computed-fields.test.ts', 'people_full'],
  'docs/crud.md The endpoint': compared,
  'docs/crud.md A request': ['test/docs/request-pairs.test.ts', 'accepted'],
  'docs/crud.md Where they differ': compared,
  'docs/dashboard.md Attempts': ['test/dashboard/course.test.ts', 'Attempts'],
  'docs/dashboard.md Forms': ['test/dashboard/forms.test.ts', 'fields'],
  'docs/dashboard.md Running jobs': ['test/dashboard/timeline.test.ts', 'Running'],
  'docs/dashboard.md Screens': ['test/dashboard/screens/looks.test.ts', 'looks'],
  'docs/dashboard.md Narrow windows': ['test/dashboard/widths.test.ts', 'width'],
  'docs/dashboard.md Links': ['test/dashboard/views.test.ts', 'shared'],
  'docs/dashboard.md Keys': ['test/dashboard/views.test.ts', 'keyboard'],
  'docs/dashboard.md How current it is': ['test/dashboard/network.test.ts', 'stale'],
  'docs/dashboard.md Permissions': ['test/dashboard/permissions.test.ts', 'allowed'],
  'docs/kubernetes.md Probes': ['test/package/chart.test.ts', 'isReady'],
  'docs/kubernetes.md Rights': ['test/package/chart.test.ts', 'readOnlyRootFilesystem'],
  'docs/metrics.md Prometheus': ['test/board/exporter.test.ts', 'sluice_'],
  'docs/nestjs-query.md The endpoint': compared,
  'docs/nestjs-query.md A request': ['test/docs/request-pairs.test.ts', 'accepted'],
  'docs/nestjs-query.md Where they differ': compared,
  'docs/pg-boss-dashboard.md Starting': ['test/cli/board-postgres.test.ts', 'pgq'],
  'docs/pg-boss-dashboard.md Pages': compared,
  'docs/pg-boss-dashboard.md Where they differ': compared,
  'docs/postgrest.md The endpoint': compared,
  'docs/postgrest.md A request': ['test/docs/request-pairs.test.ts', 'accepted'],
  'docs/postgrest.md Where they differ': compared,
  'docs/requests.md One row': ['test/matrix/one-row.test.ts', 'ROW_NOT_FOUND'],
  'docs/requests.md Refused requests': [
    'test/unit/rules/plan-query.test.ts',
    'QUERY_SYNTAX_INVALID',
  ],
  'docs/rules.md Forms of a request': [
    'test/unit/rules/request-forms.test.ts',
    'mean the same in every form',
  ],
  'docs/rules.md All fields': ['test/typeorm/registry.test.ts', 'QueryHidden'],
  'docs/rules.md What follows from rules': ['test/client/describe-rules.test.ts', 'describeRules'],
  'docs/scale.md PgBouncer': ['test/scale/pgbouncer.test.ts', 'PgBouncer'],
  'docs/scale.md Galera': ['test/scale/galera.test.ts', 'Galera'],
  'docs/scale.md Distributed databases': notRun,
  'docs/scale.md Citus': notRun,
  'docs/scale.md CockroachDB': notRun,
  'docs/scale.md YugabyteDB': notRun,
  'docs/scale.md TiDB': notRun,
  'docs/scale.md Vitess': notRun,
  'docs/sql.md UUIDs as bytes': ['test/matrix/uuid-keys.test.ts', 'bytes'],
  'docs/time-limits.md Lost connections and changed tables': [
    'test/matrix/outdated-plans.test.ts',
    'plan',
  ],
};

interface Section {
  readonly name: string;
  readonly document: string;
  /** The words in its code. */
  readonly code: ReadonlySet<string>;
}

/** The sections of a document, each up to the next heading. */
function sectionsOf(document: string): readonly Section[] {
  const found: { heading: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of read(document).split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = isCode ? undefined : /^###? (?<heading>.*)/.exec(line)?.groups?.['heading'];
    if (heading !== undefined) found.push({ heading, lines: [] });
    else found.at(-1)?.lines.push(line);
  }
  return found.map(({ heading, lines }) => {
    const text = lines.join('\n');
    const blocks = text.match(/^```\w*\n[^]*?^```/gm) ?? [];
    const spans = text.replaceAll(/^```[^]*?^```/gm, '').match(/`[^`]+`/g) ?? [];
    return {
      name: `${document} ${heading}`,
      document,
      code: wordsOf([...blocks, ...spans].join('\n')),
    };
  });
}

const own = ['test/docs/headings.test.ts', 'test/docs/named-in-tests.test.ts'];
const tests = globSync('test/**/*.{ts,tsx,js,cjs,mjs}', { cwd }).filter(
  // `npm run runtimes` installs packages below a folder of tests.
  (file) => !own.includes(file) && !file.includes('/node_modules/'),
);
const texts = new Map(tests.map((file) => [file, read(file)]));
const words = new Map([...texts].map(([file, text]) => [file, wordsOf(text)]));
const source = wordsOf(
  globSync('src/**/*.{ts,tsx}', { cwd })
    .filter((file) => !file.includes('generated'))
    .map(read)
    .join('\n'),
);

/** In how many tests a word is. */
const counts = new Map<string, number>();
for (const of of words.values()) {
  for (const word of of) counts.set(word, (counts.get(word) ?? 0) + 1);
}

/** A word of the product that says something about a section: few tests have it. */
const isTelling = (word: string): boolean =>
  word.length > 3 && source.has(word) && (counts.get(word) ?? 0) < tests.length * 0.15;

/** The test of the subject that names the most of a section; undefined where it names less than a third or than three. */
function shownBy({ document, code }: Section): string | undefined {
  const telling = [...code].filter(isTelling);
  const folders = subjects[document] ?? [];
  const [best] = tests
    .filter((file) => folders.some((folder) => file.startsWith(`test/${folder}/`)))
    .map((file) => ({ file, named: telling.filter((word) => words.get(file)?.has(word)).length }))
    .toSorted((one, other) => other.named - one.named);
  if (!best || best.named === 0 || best.named < Math.min(3, telling.length)) return undefined;
  return best.named * 3 >= telling.length ? best.file : undefined;
}

const sections = documents.filter((document) => !(document in runOf)).flatMap(sectionsOf);

describe('the sections', () => {
  it.each(sections.map((section) => [section.name, section] as const))('%s', (name, section) => {
    const row = others[name];
    const found = shownBy(section);
    if (row === undefined) {
      expect([name, found]).toEqual([name, expect.any(String)]);
      return;
    }
    // A row that the rule makes needless must go.
    expect([name, found]).toEqual([name, undefined]);
    if (typeof row === 'string') {
      console.info(`${name}: ${row}`);
      return;
    }
    const [file, word] = row;
    expect([file, existsSync(`${cwd}${file}`)]).toEqual([file, true]);
    expect(read(file)).toContain(word);
  });

  it.each(Object.entries(runOf))('of %s are run', (document, file) => {
    expect(documents).toContain(document);
    const [, guide = ''] = /([^/]+)\.md$/.exec(document) ?? [];
    expect(read(file)).toMatch(new RegExp(`['/]${guide}(?:'|\\.md)`));
  });

  it('of the list are there', () => {
    const names = new Set(sections.map(({ name }) => name));
    expect(Object.keys(others).filter((name) => !names.has(name))).toEqual([]);
  });
});

/** The paths in the strings of tests, without their queries; a template may stand for the beginning. */
const paths = [...texts]
  .filter(([file]) => /^test\/(?:auth|board|cli|dashboard|http|metrics)\//.test(file))
  .flatMap(([, text]) => text.match(/(?<=["'`])[^\s"'`]*\/[^\s"'`]*(?=["'`])/g) ?? [])
  .map((path) => path.replace(/\?.*/, '').replace(/^\//, '').split('/'));

/** Whether a path in a test is one of the route. */
function isNamed(route: string): boolean {
  const parts = route.slice(1).split('/');
  return paths.some((path) => {
    const [first = ''] = path;
    const rest = first.startsWith('${') || first.startsWith('http') ? path.slice(1) : path;
    if (rest.length > parts.length || (rest === path && rest.length < parts.length)) return false;
    const tail = parts.slice(-rest.length);
    const isFixed = tail.some((part) => !part.startsWith('{'));
    return isFixed && tail.every((part, at) => part.startsWith('{') || part === rest[at]);
  });
}

it.each(Object.entries(routeTable))('the route %s is named by a test', (name, { path }) => {
  const isKnown = [...words.values()].some((of) => of.has(name));
  expect([path, isNamed(path) || isKnown]).toEqual([path, true]);
});
