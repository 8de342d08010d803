/** A queue of BullMQ or Bull for the model: a worker, two boards, and every command on jobs. */

import { type ServedBoard, serveBoard } from '../kvq/http-board.ts';
import { chosen, ended, failure, runStep } from './board-steps.ts';
import type { Store } from './kvq-stores.ts';
import type { Model, ModelJob, Step, Told } from './model.ts';
import type { ModelQueue } from './run-model.ts';

/** The id of no job. */
const nobody = '999999';

/** Milliseconds: jobs are older than commands on a whole status spare, and those that wait are due much later. */
const [age, delay] = [3_600_000, 7_200_000];

const ready = ['waiting', 'prioritized'];
const finished = ['completed', 'failed'];
const removable = [...ready, ...finished, 'delayed'];

interface KvqJob extends ModelJob {
  /** The state in which it waits for a worker. */
  readonly waits: string;
  /** The states from which it can be retried. */
  readonly retried: readonly string[];
}

/** The job of a worker is gone with its queue. */
function unlessGone(error: unknown): false {
  if (error instanceof Error && /missing (?:key|lock)/i.test(error.message)) return false;
  throw error;
}

type IsMeant = (id: string, job: ModelJob) => boolean;

/** The state that an action gives to one of the jobs. */
const movesOf =
  (action: string, isMeant: IsMeant): Step['moves'] =>
  (id, job) => {
    if (!isMeant(id, job)) return undefined;
    const { waits, retried } = job as KvqJob;
    if (action === 'remove') return removable.includes(job.state) ? 'gone' : undefined;
    if (action === 'retry') return retried.includes(job.state) ? waits : undefined;
    // A release leaves the jobs of a worker that is there.
    return action === 'promote' && job.state === 'delayed' ? waits : undefined;
  };

/** A job that others move as well: a member of a flow, or a run of a schedule. */
const loose = { isLoose: true };

let number = 0;

/** A fresh queue; `passesHeld` tells whether commands on many jobs pass by those that another one holds. */
export async function kvqQueue(store: Store, passesHeld: boolean): Promise<ModelQueue> {
  number += 1;
  const queue = await store.queue(`model-${number}`);
  const { name: queueName, flow } = queue;
  const isCurrent = flow !== undefined;
  const boards = [await serveBoard([queue.boardQueue()]), await serveBoard([queue.boardQueue()])];
  const boardOf = (turn: number) => boards[turn % boards.length] as ServedBoard;
  const path = `/api/queues/${queueName}`;
  /** Whether jobs that wait may be those of a paused queue, which have a status of their own. */
  let mayBePaused = false;
  const isOfWaiting = (filter: object): boolean =>
    'status' in filter && filter.status === 'waiting';

  const single =
    (action: string, route: string) =>
    (model: Model, pick: number, turn: number): Step => {
      const id = chosen(model, pick, nobody);
      const name = `${action} ${id}`;
      return {
        name,
        moves: movesOf(action, (other) => other === id),
        async run(): Promise<Told> {
          const answer = await boardOf(turn).send('PUT', `${path}/${id}/${route}`);
          if (answer.status === 204) return { moved: new Set([id]) };
          // 400: the next run of a schedule.
          if ([400, 404, 405, 409].includes(answer.status)) return { left: new Set([id]) };
          throw failure(name, answer);
        },
      };
    };

  const whole =
    (route: string, action: string, told: string, isMeant: IsMeant) =>
    (_model: Model, _pick: number, turn: number): Step => ({
      name: route,
      // It takes one status after the other, and a job may come into one that is done.
      passesHeld: passesHeld || route === 'empty',
      maySpare: () => route === 'clean/waiting' && mayBePaused,
      moves: movesOf(action, isMeant),
      async run(): Promise<Told> {
        const answer = await boardOf(turn).send('PUT', `${path}/${route}`);
        if (answer.status > 202) throw failure(route, answer);
        return { count: await ended(boardOf(turn), answer, told) };
      },
    });

  const clean = (status: string) =>
    whole(`clean/${status}`, 'remove', 'removed', (_id, { state }) => state === status);

  const run =
    (action: string, filter: 'kind' | 'status' | 'both' | 'ids' | 'all') =>
    (model: Model, pick: number, turn: number): Step => {
      const kind = pick % 2 === 0 ? 'a' : 'b';
      const ids = [...model.keys()].filter((_id, at) => (at + pick) % 2 === 0);
      if (ids.length === 0) ids.push(chosen(model, pick, nobody));
      const statuses = removable.filter((each) => isCurrent || each !== 'prioritized');
      const status = statuses[pick % statuses.length] ?? '';
      const [how, isMeant] = (
        {
          kind: [{ filter: { name: kind } }, (_id, job) => job.kind === kind],
          both: [
            { filter: { name: kind, status } },
            (_id, job) => job.kind === kind && job.state === status,
          ],
          status: [{ filter: { status } }, (_id, job) => job.state === status],
          ids: [{ ids }, (id) => ids.includes(id)],
          // Without a status, a run retries failed jobs.
          all: [{ all: true }, (_id, { state }) => action !== 'retry' || state === 'failed'],
        } satisfies Record<string, [object, IsMeant]>
      )[filter];
      return runStep(
        boardOf(turn),
        { queueName, action, ...how },
        {
          passesHeld,
          maySpare: () => 'filter' in how && isOfWaiting(how.filter) && mayBePaused,
          moves: movesOf(action, isMeant),
        },
      );
    };

  const take = (): Step => {
    const taken = new Set<string>();
    return {
      name: 'take',
      moves: (id, { state }) => (taken.has(id) && ready.includes(state) ? 'active' : undefined),
      async run(): Promise<Told> {
        const id = await queue.take();
        if (id !== undefined) taken.add(id);
        return { moved: taken };
      },
    };
  };

  const pause = (isPaused: boolean) => (): Step => ({
    name: isPaused ? 'pause' : 'resume',
    moves: () => undefined,
    async run(): Promise<Told> {
      mayBePaused ||= isPaused && queue.hasPaused;
      await queue.setPaused(isPaused);
      return {};
    },
  });

  let hasBegunAgain = false;

  /** The removal of a paused queue, mostly with its pause. */
  const obliterate =
    (force: boolean) =>
    (_model: Model, pick: number, turn: number): Step => ({
      name: force ? 'obliterate by force' : 'obliterate',
      moves: (_id, { state }) => (force || state !== 'active' ? 'gone' : undefined),
      async run(): Promise<Told> {
        mayBePaused ||= queue.hasPaused;
        if (pick % 3 > 0) await queue.setPaused(true);
        const answer = await boardOf(turn).send('PUT', `${path}/obliterate`, { force });
        if (answer.status === 409) return { isRefused: true };
        if (answer.status !== 200) throw failure('obliterate', answer);
        hasBegunAgain = true;
        return {};
      },
    });

  /** The removal of a schedule, whose next run goes with it. */
  const unschedule = (_model: Model, pick: number, turn: number): Step => ({
    name: 'remove a schedule',
    moves: () => undefined,
    async run(): Promise<Told> {
      const board = boardOf(turn);
      const listed = await board.get(`/api/job-schedulers?queueName=${queueName}`);
      const { schedulers } = listed.body as { schedulers: readonly { id: string }[] };
      const { id } = schedulers[pick % Math.max(1, schedulers.length)] ?? {};
      if (id === undefined) return {};
      const route = `job-schedulers/${encodeURIComponent(id)}/remove`;
      const answer = await board.send('PUT', `${path}/${route}`);
      if (answer.status !== 204 && answer.status !== 404) throw failure(route, answer);
      return {};
    },
  });

  const end =
    (fails: boolean) =>
    (model: Model, pick: number): Step => {
      const active = [...model].filter(([, { state }]) => state === 'active');
      const id = active[pick % Math.max(1, active.length)]?.[0];
      return {
        name: `${fails ? 'fail' : 'complete'} ${id}`,
        moves: (other, { state }) =>
          other === id && state === 'active' ? (fails ? 'failed' : 'completed') : undefined,
        async run(): Promise<Told> {
          const isEnded = id !== undefined && (await queue.end(id, fails).catch(unlessGone));
          return { moved: new Set(isEnded ? [id] : []) };
        },
      };
    };

  const job = (
    state: string,
    waits: string,
    kind: string,
    more: Partial<ModelJob> = {},
  ): KvqJob => ({
    state,
    waits,
    kind,
    retried: isCurrent ? finished : ['failed'],
    ...more,
  });

  return {
    async add(way, kind) {
      if (way === 'schedule') {
        return new Map([[await queue.schedule(kind), job('delayed', 'waiting', kind, loose)]]);
      }
      if (way === 'flow' && flow) {
        const [parent = '', ...children] = await flow(kind);
        return new Map([
          [parent, job('waiting-children', 'waiting', kind, loose)],
          ...children.map((id) => [id, job('waiting', 'waiting', kind, loose)] as const),
        ]);
      }
      const options = {
        later: { delay },
        first: { priority: 5 },
        once: isCurrent ? { deduplication: { id: 'one' } } : {},
      }[way];
      const id = await queue.add(kind, { timestamp: Date.now() - age, ...options });
      const waits = way === 'first' && isCurrent ? 'prioritized' : 'waiting';
      return new Map([[id, job(way === 'later' ? 'delayed' : waits, waits, kind)]]);
    },
    // Bull has no state of jobs with a priority, and neither deduplication by name nor flows.
    ways: ['now', 'later', 'first', 'once', 'flow', 'schedule'],
    steps: [
      take,
      take,
      take,
      end(false),
      end(true),
      end(true),
      single('retry', 'retry'),
      single('remove', 'clean'),
      single('remove', 'clean'),
      single('promote', 'promote'),
      whole('retry/failed', 'retry', 'retried', (_id, { state }) => state === 'failed'),
      ...(isCurrent
        ? [whole('retry/completed', 'retry', 'retried', (_id, { state }) => state === 'completed')]
        : [take]),
      whole('promote', 'promote', 'promoted', () => true),
      whole('empty', 'remove', 'removed', () => true),
      clean('waiting'),
      clean('delayed'),
      ...(isCurrent ? [clean('prioritized')] : [take]),
      clean('active'),
      single('release', 'release'),
      pause(true),
      pause(false),
      pause(false),
      obliterate(false),
      obliterate(true),
      unschedule,
      unschedule,
      run('remove', 'both'),
      run('remove', 'status'),
      run('remove', 'ids'),
      run('retry', 'all'),
      run('retry', 'ids'),
      run('promote', 'kind'),
      run('promote', 'all'),
      end(false),
    ],
    comes: (id) => (id.startsWith('repeat:') ? job('delayed', 'waiting', '', loose) : undefined),
    hasBegunAgain() {
      const hasBegun = hasBegunAgain;
      hasBegunAgain = false;
      return hasBegun;
    },
    states: () => queue.states(),
    flaws: async () => queue.flaws(await queue.states()),
    async close() {
      for (const board of boards) await board.close();
      await queue.close();
    },
  };
}
