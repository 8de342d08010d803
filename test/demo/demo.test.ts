/** The demo as a process: start, loading, equal responses from both databases, stop and restart. */

import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { boardsOnPostgresql, keepsItsJobs } from './boards.ts';
import type { RunningDemo } from './start-demo.ts';
import { cities, scratchFolder, startDemo } from './start-demo.ts';

let folder: Awaited<ReturnType<typeof scratchFolder>>;
let demo: RunningDemo;

beforeAll(async () => {
  folder = await scratchFolder();
  demo = await startDemo(folder.path);
});

afterAll(async () => {
  await demo?.end();
  await folder?.remove();
});

const textOf = async (path: string) => {
  const response = await fetch(demo.origin + path);
  return { status: response.status, text: await response.text() };
};

const jsonOf = async (path: string) => JSON.parse((await textOf(path)).text);

/** Sends a request for both databases, expects equal bytes, and returns the response. */
async function ofBoth(list: string, query: string) {
  const pg = await textOf(`/pg/${list}?${query}`);
  const sqlite = await textOf(`/sqlite/${list}?${query}`);
  expect({ query, ...sqlite }).toEqual({ query, ...pg });
  return { status: pg.status, body: JSON.parse(pg.text) };
}

/** Process ids of the servers that run on the data of a folder. */
const serversOn = (path: string) =>
  execFileSync('ps', ['-ww', '-eo', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`-D ${path}`));

describe('the lists', () => {
  it('respond at every printed address with the same bytes from both databases', async () => {
    const printed = [
      ...demo.printed().matchAll(/ {2}(\S.*)\n {4}http:\/\/\S+?\/(?:pg|sqlite)\/(\w+)\?(\S+)/g),
    ];
    expect(printed.length).toBeGreaterThanOrEqual(10);
    for (const [, title = '', list = '', query = ''] of printed) {
      const { status, body } = await ofBoth(list, query);
      expect({ title, status }).toEqual({
        title,
        status: title.startsWith('Refused') ? 400 : 200,
      });
      if (status === 200)
        expect({ title, empty: body.data.length === 0 }).toEqual({ title, empty: false });
    }
  });

  it('contain all countries, all their languages and the configured number of cities', async () => {
    expect((await ofBoth('cities', 'perPage=1')).body.total).toBe(cities);
    expect((await ofBoth('countries', 'perPage=1')).body.total).toBe(250);
    expect((await ofBoth('languages', 'perPage=1')).body.total).toBe(153);
  });

  it('filter through a relation and through a many-to-many relation', async () => {
    const query = 'filter[country.languages.name]=Japanese&sort=-population&includes=country';
    const { body } = await ofBoth('cities', query);
    expect(body.data[0]).toMatchObject({ name: 'Tokyo', country: { name: 'Japan' } });
    const borders = await ofBoth('countries', 'filter[borders.name]=Portugal&includes=languages');
    expect(borders.body.data).toMatchObject([
      { name: 'Spain', languages: expect.arrayContaining([{ name: 'Spanish' }]) },
    ]);
  });

  it('look into arrays, compute values, and take filters as one text', async () => {
    const euro = 'filter[currencies][has]=EUR&filter[code]=FR&fields=currencies';
    expect((await ofBoth('countries', euro)).body.data).toEqual([{ currencies: ['EUR'] }]);
    const south =
      'where=degreesFromEquator < 1 and name ~ Qu&fields=name,latitude,degreesFromEquator';
    const { body } = await ofBoth('cities', south.replaceAll(' ', '%20'));
    expect(body.data[0]).toMatchObject({ name: 'Quito' });
    const { latitude, degreesFromEquator } = body.data[0];
    expect(latitude).toBe(`-${degreesFromEquator}`);
    const starts = await ofBoth('cities', 'filter[name][istartsWith]=TOK&sort=-population');
    expect(starts.body.data[0]).toMatchObject({ name: 'Tokyo' });
  });

  it('refuse a request beyond their budget', async () => {
    const terms = [0, 1, 2, 3].map((at) => `filter[$or][${at}][country.borders.name][ilike]=a`);
    const { status, body } = await ofBoth('cities', terms.join('&'));
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'QUERY_TOO_EXPENSIVE' });
  });

  it('find names in any script, in upper or lower case', async () => {
    for (const [term, name] of [
      ['日本', 'Japan'],
      ['РОССИЯ', 'Russia'],
      ['ελλάδα', 'Greece'],
      ['भारत', 'India'],
      ['ÖSTERREICH', 'Austria'],
    ] as const) {
      const { body } = await ofBoth('countries', `search=${encodeURIComponent(term)}`);
      expect(body.data.map((row: { name: string }) => row.name)).toContain(name);
    }
  });

  it('sort names by code point, and null before every value', async () => {
    const { body } = await ofBoth('countries', 'sort=name,code&paginate=false&fields=name');
    const names = body.data.map((row: { name: string }) => row.name);
    expect(names).toEqual(names.toSorted((a: string, b: string) => (a < b ? -1 : 1)));
    const areas = await ofBoth('countries', 'sort=area&fields=area&perPage=1');
    expect(areas.body.data).toEqual([{ area: null }]);
  });

  it('return every city exactly once by cursor', async () => {
    const seen: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = `sort=-population,name&fields=id&perPage=400&cursor=${cursor}`;
      const { body } = await ofBoth('cities', query);
      seen.push(...body.data.map((row: { id: number }) => row.id));
      cursor = body.nextCursor;
    }
    expect(new Set(seen).size).toBe(cities);
    expect(seen.length).toBe(cities);
  });
});

describe('the page', () => {
  it('is served with a content security policy that allows only its own files', async () => {
    const response = await fetch(`${demo.origin}/`);
    const page = await response.text();
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/);
    // A script of the page itself has the nonce of its answer; JSON is not a script.
    const nonce = /'nonce-([^']+)'/.exec(policy ?? '')?.[1];
    const scripts = [...page.matchAll(/<script(?! type="application\/json")([^>]*)>/g)];
    expect(scripts.map(([, attributes]) => /nonce="([^"]+)"/.exec(attributes ?? '')?.[1])).toEqual(
      scripts.map(() => nonce),
    );
    const assets = [...page.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, name]) => name);
    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) {
      const { status } = await fetch(new URL(asset ?? '', `${demo.origin}/`));
      expect({ asset, status }).toEqual({ asset, status: 200 });
    }
  });

  it('gets its controls from the rules', async () => {
    const { endpoints, examples } = await jsonOf('/meta');
    expect(endpoints).toHaveLength(6);
    expect(endpoints[0].filters).toContainEqual({
      path: 'population',
      kind: 'integer',
      operators: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'notIn', 'between'],
    });
    expect(JSON.stringify(endpoints)).not.toContain('Folded');
    expect(examples.length).toBeGreaterThanOrEqual(10);
  });

  it('gets the plan, the statements and the response of a request', async () => {
    const query = 'filter[population][gte]=5000000&sort=-population&includes=country&perPage=3';
    const explained = await jsonOf(`/explain/pg/cities?${query}`);
    expect(explained).toMatchObject({ request: `/pg/cities?${query}`, status: 200 });
    expect(explained.answer).toEqual(await jsonOf(`/pg/cities?${query}`));
    expect(explained.plan.where).toEqual({
      type: 'condition',
      path: 'population',
      operator: 'gte',
      value: 5_000_000,
    });
    expect(explained.statements).toHaveLength(2);
    expect(explained.statements[0].params).toContain(5_000_000);
    expect(explained.ms).toBeGreaterThan(0);
  });

  it('gets the error of a refused request, which runs no statement', async () => {
    const explained = await jsonOf('/explain/sqlite/cities?sort=nameFolded');
    expect(explained).toMatchObject({
      status: 400,
      plan: null,
      statements: [],
      answer: { code: 'FIELD_NOT_ALLOWED' },
    });
  });
});

describe('the boards on the embedded PostgreSQL', () => {
  boardsOnPostgresql(() => demo);
});

// A start takes seconds on an idle machine, and much longer under load.
describe('starting and stopping', { timeout: 180_000 }, () => {
  it('refuses a folder that another demo uses', async () => {
    await expect(startDemo(folder.path)).rejects.toThrow('Another demo is running');
    expect((await textOf('/pg/languages')).status).toBe(200);
  });

  it('stops cleanly, and restarts without loading, on the next port if the first is in use', async () => {
    expect(demo.printed()).toContain('Loading');
    expect(serversOn(folder.path)).toHaveLength(1);
    // Under npm, Ctrl-C in a terminal sends the signal twice.
    expect(await Promise.all([demo.end('SIGINT'), demo.end('SIGINT')])).toEqual([0, 0]);
    expect(serversOn(folder.path)).toEqual([]);

    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    demo = await startDemo(folder.path, { port });
    taken.close();
    expect(demo.printed()).not.toContain('Loading');
    expect(demo.printed()).toContain(`Port ${port} is taken`);
    await keepsItsJobs(demo);
    expect((await ofBoth('cities', 'perPage=1')).body.total).toBe(cities);
  });

  it('recovers after being killed while PostgreSQL keeps running', async () => {
    await demo.end('SIGKILL');
    expect(serversOn(folder.path)).toHaveLength(1);
    demo = await startDemo(folder.path);
    expect(serversOn(folder.path)).toHaveLength(1);
    expect((await ofBoth('cities', 'perPage=1')).body.total).toBe(cities);
  });
});
