/**
 * Jobs of groups, which only BullMQ Pro knows how to keep. Its package is not public: these jobs of BullMQ have the option
 * of a group, and the tests hold that the library moves them and no script of the board, and that the board counts and
 * lists what the documented methods of BullMQ Pro tell, for which lists of the test stand in.
 */

import { Job, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bullmqProQueue } from '../../../src/board/kvq/index.ts';
import { everyServiceRequired, findRedis } from '../../services/index.ts';
import { type ServedBoard, serveBoard } from './http-board.ts';
import { keyOf } from './suite.ts';
import { forgetKeys } from '../../forget-keys.ts';

const calls: string[] = [];

/** A job that records what it is asked for. */
class GroupJob extends Job {
  override retry(...given: Parameters<Job['retry']>): Promise<void> {
    calls.push(`retry ${this.id}`);
    return super.retry(...given);
  }

  override promote(): Promise<void> {
    calls.push(`promote ${this.id}`);
    return super.promote();
  }

  override remove(...given: Parameters<Job['remove']>): Promise<void> {
    calls.push(`remove ${this.id}`);
    return super.remove(...given);
  }
}

class GroupQueue extends Queue {
  readonly listed: Redis;

  constructor(name: string, connection: Redis, prefix: string) {
    super(name, { connection, prefix });
    this.listed = connection;
  }

  /** Ids of the jobs that wait in a group, by state and group. */
  readonly groups: Readonly<Record<string, Map<string, string[]>>> = {
    waiting: new Map(),
    limited: new Map(),
    maxed: new Map(),
    paused: new Map(),
  };
  /** Whether the groups tell their number of jobs, as since 7.46.3. */
  counts = true;

  /** Adds a job that waits in a group and in no list. */
  async addTo(state: string, group: string, id: string): Promise<void> {
    await this.add('tour', { id }, { jobId: id, group: { id: group } } as object);
    await this.listed.lrem(this.toKey('wait'), 0, id);
    const members = this.groups[state];
    members?.set(group, [...(members.get(group) ?? []), id]);
  }

  async getGroupsByStatus(state: string, start: number, end: number): Promise<object[]> {
    const all = [...(this.groups[state] ?? [])];
    return all
      .slice(start, end + 1)
      .map(([id, ids]) => ({ id, ...(this.counts && { count: String(ids.length) }) }));
  }

  async getGroupJobsCount(group: string): Promise<number> {
    return (await this.getGroupJobs(group, 0, 1_000)).length;
  }

  async getGroupJobs(group: string, start: number, end: number): Promise<object[]> {
    const members = Object.values(this.groups).flatMap((groups) => groups.get(group) ?? []);
    return members.slice(start, end + 1).map((id) => ({ id }));
  }

  override get Job(): typeof Job {
    return GroupJob as unknown as typeof Job;
  }
}

describe('jobs of groups', () => {
  let redis: Redis | null = null;
  let queue: GroupQueue;
  let board: ServedBoard;
  const path = '/api/queues/tours';

  beforeAll(async () => {
    const service = await findRedis();
    if ('missing' in service) {
      if (everyServiceRequired()) throw new Error(service.advice);
      return;
    }
    redis = new Redis(service.url, { maxRetriesPerRequest: null });
    await redis.del('groups:tours:id');
    queue = new GroupQueue('tours', redis, `groups-${process.pid}`);
    board = await serveBoard([bullmqProQueue(queue)]);
  });
  afterAll(async () => {
    await board?.close();
    await queue?.close();
    if (redis) await forgetKeys(redis, `groups-${process.pid}:`);
    await redis?.quit();
  });

  it('are retried, promoted and removed by the library', async (context) => {
    if (!redis) return context.skip();
    const group = { group: { id: 'north' } } as object;
    await queue.add('fails', {}, { jobId: 'f1', ...group });
    await queue.add('fails', {}, { jobId: 'f2', ...group });
    await queue.add('fails', {}, { jobId: 'f3' });
    const worker = new Worker('tours', () => Promise.reject(new Error('no')), {
      connection: redis.duplicate(),
      prefix: `groups-${process.pid}`,
    });
    await expect.poll(() => queue.getFailedCount()).toBe(3);
    await worker.close();
    for (const id of ['d1', 'd2', 'd3']) {
      const isGrouped = id !== 'd3';
      await queue.add('later', {}, { jobId: id, delay: 600_000, ...(isGrouped && group) });
    }
    calls.length = 0;
    expect((await board.send('PUT', `${path}/f1/retry`)).status).toBe(204);
    expect((await board.send('PUT', `${path}/d1/promote`)).status).toBe(204);
    expect(calls.splice(0)).toEqual(['retry f1', 'promote d1']);
    expect((await board.send('PUT', `${path}/retry/failed`)).body).toMatchObject({ retried: 2 });
    expect((await board.send('PUT', `${path}/promote`)).body).toMatchObject({ promoted: 2 });
    expect(calls.splice(0)).toEqual(['retry f2', 'promote d2']);
    expect(await queue.getWaitingCount()).toBe(6);
    expect((await board.send('PUT', `${path}/d1/clean`)).status).toBe(204);
    expect(calls.splice(0)).toEqual(['remove d1']);
    expect(keyOf(await board.send('PUT', `${path}/d1/clean`))).toBe('404 JOB_NOT_FOUND');
    expect(board.errors).toEqual([]);
  });

  it('are counted one by one, and listed behind the jobs outside of groups', async (context) => {
    if (!redis) return context.skip();
    await queue.obliterate({ force: true });
    for (const id of ['w1', 'w2', 'w3']) await queue.add('plain', {}, { jobId: id });
    await queue.addTo('waiting', 'north', 'n1');
    await queue.addTo('waiting', 'north', 'n2');
    await queue.addTo('waiting', 'south', 's1');
    await queue.addTo('limited', 'east', 'e1');
    await queue.addTo('maxed', 'west', 'x1');
    await queue.addTo('maxed', 'west', 'x2');
    await queue.addTo('paused', 'still', 'p1');
    const listed = async (query: string) => {
      const { body } = await board.get(`/api/queues?activeQueue=tours&${query}`);
      const [shown] = body.queues;
      const { counts, pagination, jobs } = shown;
      return { counts, pages: pagination.pageCount, ids: jobs.map(({ id }: { id: string }) => id) };
    };
    // Commands drop the cached groups.
    await board.send('PUT', `${path}/pause`);
    await board.send('PUT', `${path}/resume`);
    const first = await listed('status=waiting&jobsPerPage=2');
    expect(first.counts).toMatchObject({ waiting: 6, delayed: 3 });
    expect(first.pages).toBe(3);
    expect(first.ids).toEqual(['w3', 'w2']);
    expect((await listed('status=waiting&jobsPerPage=2&page=2')).ids).toEqual(['w1', 'n1']);
    expect((await listed('status=waiting&jobsPerPage=2&page=3')).ids).toEqual(['n2', 's1']);
    expect((await listed('status=waiting&jobsPerPage=2&page=4')).ids).toEqual([]);
    expect((await listed('status=delayed&jobsPerPage=10')).ids).toEqual(['e1', 'x1', 'x2']);
    const all = await listed('jobsPerPage=10');
    expect(new Set(all.ids)).toEqual(
      new Set([
        'w1',
        'w2',
        'w3',
        'n1',
        'n2',
        's1',
        'e1',
        'x1',
        'x2',
        ...('paused' in all.counts ? ['p1'] : []),
      ]),
    );
    const { body } = await board.get(`/api/queues?activeQueue=tours&status=waiting&jobsPerPage=10`);
    const grouped = body.queues[0].jobs.find(({ id }: { id: string }) => id === 'n1');
    expect(grouped).toMatchObject({ name: 'tour (north)', groupId: 'north', data: { id: 'n1' } });
    // A release before 7.46.3 tells the groups only, and their jobs one group at a time.
    queue.counts = false;
    await board.send('PUT', `${path}/resume`);
    expect((await listed('status=waiting')).counts).toMatchObject({ waiting: 6, delayed: 3 });
    expect((await listed('status=waiting&jobsPerPage=2&page=3')).ids).toEqual(['n2', 's1']);
    // A reading that failed is not kept.
    const groupsOf = queue.getGroupsByStatus;
    queue.getGroupsByStatus = () => Promise.reject(new Error('down'));
    await board.send('PUT', `${path}/resume`);
    expect((await listed('status=waiting')).counts).toMatchObject({ waiting: 3 });
    queue.getGroupsByStatus = groupsOf;
    expect((await listed('status=waiting')).counts).toMatchObject({ waiting: 6 });
    expect(board.errors).toEqual([]);
  });
});
