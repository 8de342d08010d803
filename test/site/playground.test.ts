/** The playground in a browser: its answers are those of `sluice/sql` on a server, and a link holds all of it. */

import { deflateRawSync, gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import JSON5 from 'json5';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presets } from '../../site/playground/presets/index.ts';
import type { State } from '../../site/playground/state.ts';
import { linkOf, readLink } from '../../site/playground/address.ts';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import { QueryError, defineQueryRules, runQuery } from '../../src/index.ts';
import { expectAccessible } from '../dashboard/axe.ts';
import { describeInBrowser, openPage } from '../dashboard/open-page.ts';
import { servedPlayground, settled, waitForAnswer } from './playground-page.ts';

/** The answer to a state in this process. */
async function answerOf({ tables, rules, list, query }: State): Promise<unknown> {
  const connection = new Database(':memory:');
  connection.exec(tables);
  const registry = await introspect(connection);
  const compiled = defineQueryRules(registry, list, JSON5.parse(rules)[list]);
  const source = sqlSource({ connection, registry, tables: registry.tables, model: list });
  try {
    return JSON.parse(JSON.stringify(await runQuery(source, query, compiled)));
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return error.toJSON();
  } finally {
    connection.close();
  }
}

const [first] = presets;
const states = presets.flatMap(({ name, tables, rules, requests }) =>
  requests.map(({ title, list, query }) => ({
    name: `${name}: ${title}`,
    tables,
    rules,
    list,
    query,
  })),
);

describeInBrowser('the playground', (browser) => {
  let served: Awaited<ReturnType<typeof servedPlayground>>;
  beforeAll(async () => {
    served = await servedPlayground();
  });
  afterAll(() => served?.close());

  const open = (link = '', options: BrowserContextOptions = {}) =>
    openPage(browser(), `${served.url}${link}`, { reducedMotion: 'reduce', ...options });
  const json = (page: Page) => page.getByRole('button', { name: 'JSON' }).click();

  it('answers every example as a server does, with rows or with the error', async () => {
    const { page, complaints, close } = await open();
    await json(page);
    const codes = new Set<unknown>();
    for (const [index, state] of states.entries()) {
      await page.getByLabel('Examples').selectOption(String(index));
      const expected = (await answerOf(state)) as { code?: string; data?: unknown[] };
      // An example without rows shows nothing.
      expect([state.name, expected.data]).not.toEqual([state.name, []]);
      codes.add(expected.code);
      await waitForAnswer(page, expected);
      await settled(page);
      const statements = await page.locator('#sql pre').count();
      expect([state.name, statements > 0]).toEqual([state.name, expected.code === undefined]);
      const link = decodeURI(await linkOf(state));
      await expect.poll(async () => decodeURI(await page.evaluate('location.hash'))).toBe(link);
    }
    expect(states.length).toBeGreaterThan(10);
    expect([...codes].toSorted()).toEqual([
      'CURSOR_INVALID',
      'FIELD_NOT_ALLOWED',
      'FILTER_VALUE_INVALID',
      'QUERY_SYNTAX_INVALID',
      undefined,
    ]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('has the controls that the rules allow, whose changes are the request and the link', async () => {
    const { page, complaints, close } = await open('#/users-and-posts/users');
    await json(page);
    await page.getByLabel('Add a filter').selectOption('company.name');
    await page.getByLabel('Operator for company.name').selectOption('eq');
    await page.getByLabel('Value for company.name').fill('Acme');
    await page.getByLabel('Add a sort').selectOption('age');
    await page.getByLabel('age: ascending; reverse').click();
    await page.getByLabel('company one').check();
    await page.getByLabel('Rows per page').selectOption('5');
    const query = 'filter[company.name][eq]=Acme&sort=-age&includes=company&perPage=5';
    await expect
      .poll(() => page.getByLabel('Query string of the request').inputValue())
      .toBe(query);
    await waitForAnswer(page, await answerOf({ ...first, list: 'users', query }));
    await expect
      .poll(() => page.evaluate('location.hash'))
      .toBe(`#/users-and-posts/users?${query}`);
    await page.goBack();
    const before = query.replace('&perPage=5', '');
    await waitForAnswer(page, await answerOf({ ...first, list: 'users', query: before }));
    const filter = page.getByRole('combobox', { name: 'Filter', exact: true });
    await filter.fill('age >= 30 and age <= 40');
    await filter.press('Enter');
    await expect
      .poll(() => page.getByLabel('Query string of the request').inputValue())
      .toContain('filter[age][gte]=30&filter[age][lte]=40');
    expect(complaints).toEqual([]);
    await close();
  });

  it('follows the texts, and its link restores them elsewhere', async () => {
    const { page, complaints, close } = await open();
    await json(page);
    const state: State = {
      tables: `create table "odd ✓ <b>names</b>" (id integer primary key, "the size" text);
        insert into "odd ✓ <b>names</b>" values (1, '<img src=x onerror=alert(1)>'), (2, null);`,
      rules: `{ oddBNamesB: { fields: { root: 'all' }, sorts: ['theSize'] } } // odd`,
      list: 'oddBNamesB',
      query: 'sort=-theSize',
    };
    await page.locator('#tables').fill(state.tables);
    await page.locator('#rules').fill(state.rules);
    await page.getByLabel('Query string of the request').fill(state.query);
    await page.keyboard.press('Enter');
    const expected = await answerOf(state);
    await waitForAnswer(page, expected);
    await expect.poll(() => page.evaluate<string>('location.hash')).toContain('#/~');
    const link = await page.evaluate<string>('location.hash');
    const elsewhere = await open(link);
    await json(elsewhere.page);
    await waitForAnswer(elsewhere.page, expected);
    expect(await elsewhere.page.locator('#tables').inputValue()).toBe(state.tables);
    expect(await elsewhere.page.locator('#rules').inputValue()).toBe(state.rules);
    expect(await elsewhere.page.evaluate('location.hash')).toBe(link);
    expect([...complaints, ...elsewhere.complaints]).toEqual([]);
    await elsewhere.close();
    await close();
  });

  it.each([
    ['tables', 'Tables: near "tabel": syntax error', 'create tabel users (id)'],
    ['tables', 'Tables: The schema has no table', 'create table logs (text text)'],
    ['tables', 'Tables: The schema has no table', ''],
    ['rules', 'Rules: JSON5: invalid end of input at 1:10', '{ users: '],
    ['rules', 'Rules: They must be an object', '[]'],
    ['rules', 'Rules: They have no model; the tables have companies, posts, users.', '{}'],
    ['rules', 'Rules: The registry has no model "user"', '{ user: { fields: "all" } }'],
    ['rules', 'Rules: The registry has no model "__proto__"', '{ "__proto__": { fields: "all" } }'],
    ['rules', 'filter', '{ users: { fields: "all", filter: [] } }'],
    ['rules', 'Rules: ', `{ users: ${'['.repeat(20_000)} }`],
  ])('tells a mistake in the %s: %s', async (part, message, text) => {
    const { page, complaints, close } = await open();
    await page.locator('#answer tbody tr').first().waitFor();
    const field = page.locator(`#${part}`);
    const valid = await field.inputValue();
    await field.fill(text);
    await page.getByRole('alert').getByText(message).waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill(valid);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByText('200 OK').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('tells which tables are not listed', async () => {
    const { page, complaints, close } = await open();
    await page.getByText('200 OK').waitFor();
    const tables = page.locator('#tables');
    await tables.fill(`${await tables.inputValue()} create table logs (line text);`);
    await page.getByText('logs: it has no primary key').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('ends statements that never end, and goes on', async () => {
    const endless =
      'with recursive t (n) as (select 1 union all select n from t) select count(*) from t;';
    const state = { tables: endless, rules: '{}', list: '', query: '' };
    const { page, complaints, close } = await open(await linkOf(state));
    await page.getByRole('alert').getByText('Database: It was ended').waitFor();
    await page.getByLabel('Examples').selectOption('0');
    await page.getByText('200 OK').waitFor();
    // So have the pages of the database.
    await page
      .locator('#tables')
      .fill('create table t (b); insert into t values (zeroblob(100000000));');
    await page.getByRole('alert').getByText('Tables: database or disk is full').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('tells that a link cannot be read, and shows the first example', async () => {
    const { page, complaints, close } = await open('#/users-and-posts/users');
    const told = [
      ['#/nothing/users', 'names an example that does not exist'],
      ['#/__proto__/users', 'names an example that does not exist'],
      ['#<img src=x onerror=alert(1)>', 'is not one of this page'],
      ['#/~AAAA/users', 'is incomplete or damaged'],
      ['#/~/users', 'is incomplete or damaged'],
      [`#/~${'A'.repeat(1_100_000)}/users`, 'is too long'],
    ] as const;
    for (const [link, message] of told) {
      await page.evaluate(`location.hash = ${JSON.stringify(link)}`);
      await page.getByRole('alert').getByText(`Link: The link ${message}.`).waitFor();
      expect(await page.locator('#tables').inputValue()).toBe(first.tables);
      await page.getByText('200 OK').waitFor();
    }
    expect(await page.locator('#app img').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  it('loads at most 400 kB of script before the database, and nothing from elsewhere', async () => {
    const context = await browser().newContext();
    const page = await context.newPage();
    const loaded: { url: string; bytes: Promise<number> }[] = [];
    context.on('response', (response) => {
      loaded.push({
        url: response.url(),
        bytes: response.body().then((body) => gzipSync(body, { level: 9 }).length),
      });
    });
    await page.goto(served.url);
    await page.getByText('200 OK').waitFor();
    const urls = loaded.map(({ url }) => url);
    expect(urls.filter((url) => !url.startsWith(served.url))).toEqual([]);
    const database = urls.findIndex((url) => url.endsWith('.wasm'));
    expect(database).toBeGreaterThan(0);
    const scripts = loaded.slice(0, database).filter(({ url }) => url.endsWith('.js'));
    const bytes = (await Promise.all(scripts.map((each) => each.bytes))).reduce((a, b) => a + b, 0);
    console.log(`The playground: ${bytes} bytes of script before the database.`);
    expect(bytes).toBeLessThan(400_000);
    await context.close();
  });

  it.each([
    { look: 'light', options: { colorScheme: 'light', viewport: { width: 1_440, height: 900 } } },
    { look: 'dark', options: { colorScheme: 'dark', viewport: { width: 1_440, height: 900 } } },
    { look: 'phone', options: { viewport: { width: 390, height: 844 } } },
  ] as const)('has no violation ($look)', async ({ options }) => {
    const { page, complaints, close } = await open('', options);
    await page.getByText('200 OK').waitFor();
    await expectAccessible(page);
    await json(page);
    await page.getByLabel('Query string of the request').fill('sort=none');
    await page.keyboard.press('Enter');
    await page.getByText('Refused before any statement ran.').waitFor();
    if (!(await page.locator('#rules').isVisible())) {
      await page.getByText('Tables and rules', { exact: true }).click();
    }
    const many = Array.from({ length: 12 }, (_, at) => `a_table_with_a_long_name_${at}`);
    await page
      .locator('#tables')
      .fill(many.map((name) => `create table ${name} (id integer primary key);`).join('\n'));
    await page
      .locator('#rules')
      .fill(
        `{ ${many.map((name) => `aTableWithALongName${name.split('_').at(-1)}: { fields: 'all' }`).join()} }`,
      );
    await page.getByRole('button', { name: 'aTableWithALongName11' }).click();
    await page.locator('#path', { hasText: '/aTableWithALongName11' }).waitFor();
    await expectAccessible(page);
    await page.locator('#rules').fill('{ users:');
    await page.getByRole('alert').getByText('Rules:').waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });

  it('is reached by the keyboard, which leaves the link alone', async () => {
    const { page, complaints, close } = await open('#/orders/orders?sort=-total');
    await page.getByText('200 OK').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('answer');
    expect(await page.evaluate('location.hash')).toBe('#/orders/orders?sort=-total');
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('a link', () => {
  const linkTo = (text: string) => `#/~${deflateRawSync(text).toString('base64url')}/list`;

  it('holds each state', async () => {
    const texts = [
      '',
      ' ',
      '%',
      '#/?&=',
      '\u0000"<>',
      '😀',
      'é'.repeat(50_000),
      '\u0001'.repeat(50_000),
    ];
    for (const text of texts) {
      const state = { tables: text, rules: text, list: text.slice(0, 2), query: '' };
      expect(await readLink(await linkOf(state))).toEqual({ state });
    }
    for (const { name: _, ...state } of states) {
      expect(await readLink(await linkOf(state))).toEqual({ state });
    }
  });

  it.each([
    ['of another form', linkTo('{"tables":"","rules":""}')],
    ['with one text', linkTo('[""]')],
    ['with another value', linkTo('["", 1]')],
    ['with a text beyond the limit', linkTo(JSON.stringify(['', 'a'.repeat(50_001)]))],
    ['that unpacks to more than a link may hold', linkTo(`["", ""${' '.repeat(2_000_000)}]`)],
    [
      'whose bytes are not UTF-8',
      `#/~${deflateRawSync(Buffer.from([0x5b, 0xff])).toString('base64url')}/`,
    ],
    ['whose list is not percent-encoded', '#/orders/%E0%A4%A'],
  ])('%s is refused', async (_, link) => {
    const { state, problem } = await readLink(link);
    expect(problem).toContain('The link is incomplete or damaged.');
    expect(state.tables).toBe(first.tables);
  });
});
