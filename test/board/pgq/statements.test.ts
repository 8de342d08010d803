/** The number of statements per route, and the indexes that they use. */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestLibrary } from './libraries.ts';
import { type Recording, type Statement, recordStatements } from './statements.ts';
import { type BoardUnderTest, type World, createListingIndexes, makeWorld } from './world.ts';

let world: World;
let board: BoardUnderTest;
let recording: Recording;
let id: string;

const queueCount = 500;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_statements');
  await world.boss.createQueue('big');
  await world.admin.query(
    `insert into pgboss.queue (name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds,
       retention_seconds, deletion_seconds, partition, table_name)
     select 'q' || n, 'standard', 2, 0, false, 900, 1209600, 604800, false, 'job_common'
     from generate_series(2, ${queueCount}) n`,
  );
  await world.admin.query(
    `insert into pgboss.schedule (name, key, cron) select 'q' || 2 + n % 400, 'k' || n, '* * * * *'
     from generate_series(0, 799) n`,
  );
  await world.admin.query(
    `insert into pgboss.job (name, state, policy, created_on)
     select case when n % 3 = 0 then 'q' || 2 + n % 400 else 'big' end,
       (enum_range(null::pgboss.job_state))[1 + n / 7 % 6], 'standard',
       '2026-01-01Z'::timestamptz + n * interval '1 millisecond'
     from generate_series(0, 89999) n`,
  );
  const { rows } = await world.admin.query<{ id: string }>(
    `select id from pgboss.job where name = 'big' limit 1`,
  );
  id = rows[0]?.id ?? '';
  await createListingIndexes(world.admin);
  await world.admin.query('analyze');
  board = await world.board();
  await board.get('/api/pgq/info');
  recording = recordStatements();
});
afterAll(async () => {
  recording?.stop();
  await world?.close();
});

/** Whether a statement is of the guard, or of the look for runs of others: both come by time, not by a request. */
const isOfGuard = ({ text }: Statement): boolean =>
  text.includes('.version limit 1') || text.includes('has_schema_privilege(place.oid');

/** The statements of a request, without those of the guard. */
async function statementsOf(path: string): Promise<Statement[]> {
  recording.take();
  const { status, text } = await board.get(path);
  expect({ status, text }).toMatchObject({ status: 200 });
  return recording.take().filter((statement) => !isOfGuard(statement));
}

describe('statements of a route', () => {
  // Each with a new queue, so that the check of the queue is included.
  it.each([
    ['/api/pgq/queues', 2],
    ['/api/pgq/queues/q2', 2],
    ['/api/pgq/queues/q3/counts', 1 + 6],
    ['/api/pgq/queues/q4/depth', 1 + 1],
    ['/api/pgq/queues/q5/jobs?state=failed', 1 + 1],
    ['/api/pgq/queues/q6/jobs', 1 + 1],
    ['/api/pgq/queues/q7/jobs?filter[state][in]=failed,completed', 1 + 1],
    ['/api/pgq/queues/q8/jobs?id=00000000-0000-4000-8000-000000000000', 1 + 1],
    ['/api/pgq/warnings', 1 + 1],
    // The jobs that run in 50 queues, and how long those of each usually run.
    ['/api/running', 1 + 2],
    ['/api/pgq/schedules', 1],
    ['/api/pgq/schedules?queueName=q9', 1 + 1],
    // Snapshots and warnings, statistics of the server.
    ['/api/pgq/info', 2],
  ])('%s: %i', async (path, statements) => {
    expect(await statementsOf(path)).toHaveLength(statements);
  });

  it('that shows one job', async () => {
    expect(await statementsOf(`/api/pgq/jobs/${id}`)).toHaveLength(2);
    await statementsOf('/api/pgq/queues/big/counts');
    expect(await statementsOf(`/api/pgq/queues/big/jobs/${id}`)).toHaveLength(1);
    expect(await statementsOf(`/api/pgq/queues/big/jobs/${id}/dependencies`)).toHaveLength(3);
    await statementsOf('/api/pgq/queues/big/counts');
    // The job with the others, and the processes that work.
    expect(await statementsOf(`/api/pgq/queues/big/jobs/${id}/holds`)).toHaveLength(2);
  });

  it('does not check a queue again within a second', async () => {
    await statementsOf('/api/pgq/queues/q10/jobs?state=failed');
    expect(await statementsOf('/api/pgq/queues/q10/jobs?state=failed')).toHaveLength(1);
  });

  it(`shows ${queueCount} queues with two`, async () => {
    const { body } = await board.get('/api/pgq/queues');
    expect(body['queues']).toHaveLength(queueCount);
    recording.take();
    for (const _time of [1, 2, 3]) await board.get('/api/pgq/queues');
    expect(recording.take().filter((statement) => !isOfGuard(statement))).toHaveLength(6);
  });

  it('checks the schema once for concurrent requests', async () => {
    const fresh = await world.board();
    recording.take();
    await Promise.all(Array.from({ length: 20 }, () => fresh.get('/api/pgq/queues/q2')));
    const texts = recording.take().map(({ text }) => text);
    expect(texts.filter((text) => text.includes('.version limit 1'))).toHaveLength(1);
    expect(texts.filter((text) => text.includes('has_column_privilege'))).toHaveLength(1);
  });
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Shared Hit Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** All nodes of the statement's plan, custom or generic; with `options`, as EXPLAIN tells them. */
async function planOf(
  { text, values }: Statement,
  generic: boolean,
  options = '',
): Promise<readonly PlanNode[]> {
  const client = new pg.Client({ connectionString: world.url });
  await client.connect();
  try {
    await client.query(`set plan_cache_mode = force_${generic ? 'generic' : 'custom'}_plan`);
    await client.query(`prepare asked as ${text}`);
    const literals = values.map((value) => {
      const one = Array.isArray(value) ? `{${value.join(',')}}` : String(value);
      return pg.escapeLiteral(one);
    });
    const { rows } = await client.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
      `explain (${options}format json) execute asked${literals.length > 0 ? `(${literals.join(', ')})` : ''}`,
    );
    const nodes: PlanNode[] = [];
    const collect = (node: PlanNode): void => {
      nodes.push(node);
      for (const child of node.Plans ?? []) collect(child);
    };
    collect(rows[0]?.['QUERY PLAN'][0]?.Plan as PlanNode);
    return nodes;
  } finally {
    await client.end();
  }
}

describe('plans', () => {
  const listing = (text: string) => text.includes('"job"') && text.includes('order by');

  it.each([
    ['state=failed', false],
    ['state=failed', true],
    ['state=completed&order=asc', false],
    ['', false],
  ])('a page of jobs (%s, second page: %s) uses only the index', async (query, second) => {
    let path = `/api/pgq/queues/big/jobs?limit=20&${query}`;
    if (second) {
      const { body } = await board.get(path);
      path += `&cursor=${String(body['nextCursor'])}`;
    }
    const statements = (await statementsOf(path)).filter(({ text }) => listing(text));
    expect(statements.length).toBe(1);
    const states = query === '' ? 6 : 1;
    for (const statement of statements) {
      for (const generic of [false, true]) {
        const nodes = await planOf(statement, generic);
        const types = nodes.map((node) => node['Node Type']);
        // Scans of subqueries read from parts of the statement.
        const scans = nodes.filter((node) => /(?<!Subquery )Scan/.test(node['Node Type']));
        expect(scans.map((node) => node['Node Type'])).toEqual(
          Array.from({ length: states }, () => 'Index Scan'),
        );
        // Each state has its own, and the page that is merged from them.
        expect(types.filter((type) => type === 'Limit')).toHaveLength(
          states === 1 ? 1 : states + 1,
        );
        expect(types.filter((type) => type.includes('Sort'))).toEqual([]);
        for (const scan of scans) {
          expect(scan['Index Name']).toMatch(/name_state_created_on_id_idx$/);
          const condition = String(scan['Index Cond']);
          expect(condition).toContain('name =');
          expect(condition).toContain('state =');
          if (second) expect(condition).toContain('created_on, id');
        }
      }
    }
  });

  it.each(['/api/running', '/api/timeline?queueName=big&from=1767225600000&to=1767229200000'])(
    'of %s read the table by its indexes alone',
    async (path) => {
      const ofJobs = (await statementsOf(path)).filter(({ text }) => /"pgboss"\.job\b/.test(text));
      expect(ofJobs).toHaveLength(1);
      for (const statement of ofJobs) {
        const nodes = await planOf(statement, false);
        expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
      }
    },
  );

  it('a page of all queues reads as little at any depth', async () => {
    // An internal queue, which the board hides.
    await world.boss.createQueue('__pgboss__own');
    await world.admin.query(
      'create index all_by_time on pgboss.job_common (created_on desc, id desc)',
    );
    await world.admin.query('vacuum analyze pgboss.job_common');
    const route = '/api/pgq/jobs?limit=50';
    let cursor = String((await board.get(route)).body['nextCursor']);
    for (let page = 0; page < 30; page += 1) {
      const { body } = await board.get(`/api/pgq/jobs?limit=100&cursor=${cursor}`);
      cursor = String(body['nextCursor']);
    }
    for (const path of [route, `${route}&cursor=${cursor}`]) {
      const [names, page, ...others] = await statementsOf(path);
      expect(others).toEqual([]);
      expect(names?.text).toContain('"queue"');
      // Not a list of all queues, which takes longer to plan than the page to read.
      expect(page?.values.flat()).toEqual(
        path === route
          ? ['__pgboss__own']
          : ['__pgboss__own', expect.anything(), expect.anything()],
      );
      for (const generic of [false, true]) {
        const nodes = await planOf(page as Statement, generic, 'analyze, buffers, ');
        const [limit, scan] = nodes;
        expect(nodes.map((node) => node['Node Type'])).toEqual(['Limit', 'Index Scan']);
        expect(scan?.['Index Name']).toBe('all_by_time');
        if (path !== route) expect(scan?.['Index Cond']).toContain('created_on, id');
        // 51 rows: at most a block each, and the way down the index.
        expect(limit?.['Shared Hit Blocks']).toBeLessThanOrEqual(51 + 5);
      }
    }
  });

  it('a page of all queues in a state of few jobs reads these', async () => {
    await world.admin.query(`update pgboss.job set state = 'completed' where state = 'active'`);
    await world.admin.query('vacuum analyze pgboss.job_common');
    const statements = await statementsOf('/api/pgq/jobs?limit=50&state=active');
    const page = statements.find(({ text }) => listing(text)) as Statement;
    for (const generic of [false, true]) {
      const nodes = await planOf(page, generic);
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      const scan = nodes.find((node) => node['Node Type'].includes('Index'));
      // An index of the library on active jobs serves it as well.
      expect(scan?.['Index Cond']).toContain('name = ANY');
    }
  });

  it('finding a job only by id uses the primary key of every queue', async () => {
    const statements = await statementsOf(`/api/pgq/jobs/${id}`);
    const find = statements.find(({ text }) => listing(text)) as Statement;
    for (const generic of [false, true]) {
      const nodes = await planOf(find, generic);
      const scan = nodes.find((node) => node['Node Type'].includes('Index'));
      expect(scan?.['Index Name']).toMatch(/pkey$/);
      expect(scan?.['Index Cond']).toContain('name = ANY');
      expect(scan?.['Index Cond']).toContain('id =');
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    }
  });

  it('warnings use the index of the library', async () => {
    await world.admin.query(
      `insert into pgboss.warning (type, message, created_on) select 't', 'm', now() - n * interval '1 s'
       from generate_series(1, 5000) n`,
    );
    await world.admin.query('analyze pgboss.warning');
    const statements = await statementsOf('/api/pgq/warnings');
    const page = statements.find(({ text }) => text.includes('"warning"')) as Statement;
    const nodes = await planOf(page, false);
    expect(nodes.map((node) => node['Index Name'])).toContain('warning_i1');
  });
});
