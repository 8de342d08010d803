/** Permissions of the host: asked once per request before validation, refused with the action, and failing closed. */

import { afterEach, describe, expect, it } from 'vitest';
import type {
  Board,
  BoardOptions,
  HookRequest,
  PermissionsOf,
} from '../../../src/board/core/index.ts';
import { BoardAction, engineRoutes } from '../../../src/board/contract/index.ts';
import type { Route } from '../../../src/board/contract/index.ts';
import { BoardPermissions, QueueVisibility } from '../../../src/board/core/index.ts';
import { memoryEngine } from './memory-engine.ts';
import { applications, send, serveBoard } from './serve-board.ts';
import type { Served } from './serve-board.ts';

const api = '/admin/queues/api/pgq';
const open: Served[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((served) => served.close()));
});

async function serve(permissions: PermissionsOf, options: BoardOptions = {}) {
  const engine = memoryEngine();
  const application = applications[1] ?? applications[0];
  const served = await serveBoard(application, engine.factory, {
    options: { permissions, validateResponses: true, ...options },
  });
  open.push(served);
  const ask = async (method: string, path: string, body?: string) => {
    const answer = await send(served.port, `${api}${path}`, {
      method,
      ...(body !== undefined && { body }),
    });
    return { status: answer.status, body: JSON.parse(answer.body || '{}') };
  };
  return { engine, ask, board: served.board, log: served.log };
}

const refused = (action: string) => ({
  status: 403,
  body: {
    error: { key: 'ERRORS.ACTION_NOT_ALLOWED', options: { action } },
    code: 'ACTION_NOT_ALLOWED',
  },
});

/** A request for functions of a host that read none. */
const anyone = (): HookRequest => ({
  params: {},
  query: {},
  body: {},
  headers: {},
  queues: new Map(),
  uiConfig: {},
  native: undefined,
});

/** Without a host. */
describe('the route table', () => {
  it('names an action and a target of every route, and uses every action', () => {
    const used = new Set<string>();
    for (const routes of Object.values(engineRoutes)) {
      for (const [operation, route] of Object.entries<Route>(routes)) {
        const { action, target, access, path } = route;
        used.add(action);
        expect([operation, BoardAction.options]).toEqual([
          operation,
          expect.arrayContaining([action]),
        ]);
        const [noun = '', verb] = action.split('.');
        if (access === 'read') expect([operation, verb]).toEqual([operation, 'read']);
        // The body or the run names the action.
        else if (!operation.endsWith('Bulk')) expect([operation, verb]).not.toContain('read');
        if (noun === 'job') expect(['job', 'jobs', 'queue']).toContain(target);
        if (noun === 'jobs') expect([operation, target]).toEqual([operation, 'jobs']);
        if (path.includes('{jobId}')) expect([operation, target]).toEqual([operation, 'job']);
      }
    }
    const unused = BoardAction.options.filter((action) => !used.has(action));
    expect(unused).toEqual(['history.read', 'history.purge']);
  });

  it('asks for the action that removes wherever jobs or queues are removed', () => {
    const removing = Object.fromEntries(
      Object.values(engineRoutes).flatMap((routes) =>
        Object.entries<Route>(routes)
          .filter(([operation]) =>
            /^(?:clean|delete|drain|empty|obliterate|remove)/.test(operation),
          )
          .map(([operation, { action }]) => [operation, action]),
      ),
    );
    expect(removing).toEqual({
      cleanJob: 'job.remove',
      cleanJobs: 'jobs.remove',
      deleteQueuedPgqJobs: 'jobs.remove',
      deleteStoredPgqJobs: 'jobs.remove',
      emptyQueue: 'jobs.remove',
      obliterateQueue: 'queue.obliterate',
      removeJobScheduler: 'schedule.remove',
      removePgqJob: 'job.remove',
      removePgqJobs: 'jobs.remove',
      removePgqSchedule: 'schedule.remove',
      removeUnprocessedChildren: 'job.remove',
    });
  });
});

describe('permissions', () => {
  it('refuse an action before the request is validated, with its name', async () => {
    const { ask, engine } = await serve(() => ['*.read']);
    expect(await ask('GET', '/queues/mail')).toMatchObject({ status: 200 });
    expect(await ask('PUT', '/queues/mail/jobs/retry', '{"ids":"none"}')).toEqual(
      refused('jobs.retry'),
    );
    expect(await ask('PUT', '/queues/mail/jobs/7/retry')).toEqual(refused('job.retry'));
    expect(await ask('PUT', '/queues/mail/delete-queued?x=1')).toEqual(refused('jobs.remove'));
    expect(engine.ran).toEqual(['getPgqQueue']);
  });

  it('apply to one queue, which may have more or less than the others', async () => {
    const { ask } = await serve(() => ({
      allowed: ['*.read', 'job.add'],
      queues: { mail: ['*.read'], 'a/b %': ['*'], __proto__: ['*'] },
    }));
    expect(await ask('POST', '/queues/mail/jobs', '{}')).toEqual(refused('job.add'));
    expect(await ask('POST', '/queues/secret/jobs', '{}')).toMatchObject({ status: 200 });
    expect(await ask('PUT', '/queues/secret/delete-stored')).toEqual(refused('jobs.remove'));
    expect(await ask('PUT', '/queues/a%2Fb%20%25/delete-stored')).toMatchObject({ status: 200 });
    expect(await ask('PUT', '/queues/constructor/delete-stored')).toEqual(refused('jobs.remove'));
  });

  it('hide a queue whose reading they do not allow', async () => {
    const { ask } = await serve(() => ({ queues: { mail: ['queue.read', 'job.add'] } }));
    const { body } = await ask('GET', '/queues');
    expect(body.queues.map(({ name }: { name: string }) => name)).toEqual(['mail']);
    expect(await ask('GET', '/queues/secret')).toEqual(refused('queue.read'));
    expect(await ask('GET', '/info')).toEqual(refused('board.read'));
  });

  it('are asked once per request, after the hook', async () => {
    const seen: string[] = [];
    const { ask } = await serve(
      ({ params }) => {
        seen.push(`asked ${params['queueName'] ?? ''}`);
        return ['*'];
      },
      {
        handlerHooks: {
          before: ({ request }) => {
            seen.push('hook');
            return { allow: request.params['queueName'] !== 'secret' };
          },
        },
      },
    );
    await ask('GET', '/queues');
    await ask('POST', '/queues/mail/jobs', '{}');
    await ask('POST', '/queues/secret/jobs', '{}');
    expect(seen).toEqual(['hook', 'asked ', 'hook', 'asked mail', 'hook']);
  });

  it.each<readonly [string, () => unknown, string]>([
    ['throws', () => Promise.reject(new Error('away')), 'away'],
    ['returns nothing', () => undefined, '"permissions" must return a list of actions'],
    ['names an unknown action', () => ['job.fly'], 'unknown action: "job.fly"'],
    ['names an inherited one', () => ['constructor'], 'unknown action: "constructor"'],
    ['lists no text', () => [7], 'unknown action: number'],
    ['gives no list', () => ({ allowed: 'job.add' }), 'must be a list of actions'],
    ['gives no list per queue', () => ({ queues: { a: true } }), 'must be a list of actions'],
    ['has a misspelled member', () => ({ alowed: ['*'] }), 'unknown member "alowed"'],
  ])('fail closed when the function %s', async (_, answer, message) => {
    const { ask, engine, log } = await serve(answer as PermissionsOf);
    const { status, body } = await ask('PUT', '/queues/mail/delete-queued');
    expect([status, body]).toEqual([
      500,
      { error: { key: 'ERRORS.INTERNAL_SERVER_ERROR' }, code: 'INTERNAL_SERVER_ERROR' },
    ]);
    expect(engine.ran).toEqual([]);
    expect(engine.queues.get('mail')).toHaveLength(2);
    expect(String((log.lines[0]?.details as Error)?.message ?? log.lines[0]?.details)).toContain(
      message,
    );
  });

  it('have a signature that is equal for equal rights', async () => {
    const signature = async (answer: Awaited<ReturnType<PermissionsOf>>): Promise<string> =>
      (await new BoardPermissions(() => answer, engineRoutes.pgq).of(anyone())).signature;
    const many = await signature({ allowed: ['job.add', '*.read'], queues: { a: [], b: ['*'] } });
    expect(many).toBe(
      await signature({ allowed: ['*.read', 'job.add'], queues: { b: ['*'], a: [] } }),
    );
    expect(many).not.toBe(
      await signature({ allowed: ['*.read', 'job.add'], queues: { b: ['*'] } }),
    );
    expect(await signature(['*'])).toBe(await signature({ allowed: [...BoardAction.options] }));
    expect(await signature({ queues: { a: ['*.read'] } })).not.toBe(
      await signature({ queues: { b: ['*.read'] } }),
    );
  });

  it('may look at the body, which is read for those whom they let in alone', async () => {
    const { engine, ask } = await serve(({ body }) =>
      Object(body).data === 'mine' ? ['*'] : ['*.read'],
    );
    expect(await ask('POST', '/queues/mail/jobs', '{"data":"mine"}')).toMatchObject({
      status: 200,
    });
    expect(await ask('POST', '/queues/mail/jobs', '{"data":"yours"}')).toEqual(refused('job.add'));
    expect(engine.ran).toEqual(['sendPgqJob']);
    let reads = 0;
    const post = (board: Board) =>
      board.handle({
        method: 'POST',
        path: '/api/pgq/queues/mail/jobs',
        rawQuery: '',
        headers: {},
        readBody: async () => ({ value: { data: (reads += 1) } }),
        signal: new AbortController().signal,
        basePath: '',
      });
    for (const [grants, status] of [
      [['*.read'], 403],
      [['*'], 200],
    ] as const) {
      const { board } = await serve(() => grants);
      expect(await post(board)).toMatchObject({ status });
    }
    expect(reads).toBe(1);
  });

  it('show a queue only to those who may read it, whatever else they may do in it', async () => {
    const permissions = new BoardPermissions(
      () => ({ queues: { a: ['job.read'], b: ['queue.read', 'job.read'], c: ['queue.read'] } }),
      engineRoutes.kvq,
    );
    const visibility = new QueueVisibility(undefined, permissions);
    const shown = await visibility.visibleAmong(anyone(), ['a', 'b', 'c', 'd'], 'job.read');
    expect([...shown]).toEqual(['b']);
  });

  it('take the same steps for a queue that is missing and one that is hidden', async () => {
    const asked: string[] = [];
    const guard = (_request: HookRequest, name: string) => asked.push(name) === 0;
    const permissions = new BoardPermissions(undefined, engineRoutes.kvq);
    const visibility = new QueueVisibility(guard, permissions);
    for (const [name, exists] of [
      ['hidden', true],
      ['missing', false],
    ] as const) {
      await expect(visibility.require(anyone(), name, exists)).rejects.toMatchObject({
        key: 'QUEUE_NOT_FOUND',
      });
    }
    expect(asked).toEqual(['hidden', 'missing']);
  });

  it('allow everywhere what no queue lacks', async () => {
    const everywhere = async (grants: Awaited<ReturnType<PermissionsOf>>) =>
      (await new BoardPermissions(() => grants, engineRoutes.kvq).of(anyone())).allowsEverywhere(
        'queue.read',
      );
    const queues = { a: ['*'], b: ['queue.read'] } as const;
    expect(await everywhere({ allowed: ['*.read'], queues })).toBe(true);
    expect(await everywhere({ allowed: ['*.read'], queues: { ...queues, c: ['job.read'] } })).toBe(
      false,
    );
    expect(await everywhere({ queues })).toBe(false);
  });

  it('are told without the actions that the board does not serve', async () => {
    const permissions = (readOnly: boolean) => {
      const routes = Object.fromEntries(
        Object.entries<Route>(engineRoutes.kvq).filter(
          ([, { access }]) => !readOnly || access === 'read',
        ),
      );
      return new BoardPermissions(() => ['queue.read', 'job.add', 'job.cancel'], routes);
    };
    expect((await permissions(false).of(anyone())).allowed).toEqual(['queue.read', 'job.add']);
    expect((await permissions(true).of(anyone())).allowed).toEqual(['queue.read']);
  });
});
