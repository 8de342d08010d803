/** A queue of pg-boss for the model: a worker, two boards, and every command on jobs. */

import type { BoardUnderTest, World } from '../pgq/world.ts';
import { chosen, ended, failure, runStep } from './board-steps.ts';
import type { Model, ModelJob, Step, Told } from './model.ts';
import type { ModelQueue } from './run-model.ts';

/** A job that is not due for a long time. */
const hour = 3_600;

/** The id of no job. */
const nobody = '00000000-0000-4000-8000-000000000000';

interface PgqJob extends ModelJob {
  readonly isLater?: boolean;
}

type Moves = Step['moves'];

const waiting = ['created', 'retry'];
const finished = ['completed', 'cancelled', 'failed'];

/** The state that an action gives to a job in one of some states. */
const actions: Readonly<Record<string, readonly [from: readonly string[], to: string]>> = {
  retry: [['failed'], 'retry'],
  cancel: [[...waiting, 'active'], 'cancelled'],
  resume: [['cancelled'], 'created'],
  remove: [[...waiting, ...finished], 'gone'],
};

/** Of some jobs only, or of all. */
const movesOf =
  (action: string, isMeant: (id: string, job: ModelJob) => boolean): Moves =>
  (id, job) => {
    const [from = [], to] = actions[action] ?? [];
    return isMeant(id, job) && from.includes(job.state) ? to : undefined;
  };

let number = 0;

/** A fresh queue in the database of the world. */
export async function pgqQueue(
  { boss, admin }: World,
  boards: readonly BoardUnderTest[],
): Promise<ModelQueue> {
  number += 1;
  const queue = `model-${number}`;
  const dead = `${queue}-dead`;
  await boss.createQueue(dead, {});
  await boss.createQueue(queue, { retryLimit: 0, deadLetter: dead });
  /** The times that a worker has let a job fail, each of which makes a dead letter. */
  const failures: string[] = [];
  const boardOf = (turn: number) => boards[turn % boards.length] as BoardUnderTest;
  /** An active job, where there is one. */
  const busy = (model: Model, pick: number): string => {
    const active = [...model].filter(([, { state }]) => state === 'active');
    return active[pick % Math.max(1, active.length)]?.[0] ?? nobody;
  };

  const single =
    (action: string, body: object = {}) =>
    (model: Model, pick: number, turn: number): Step => {
      const id = chosen(model, pick, nobody);
      const name = `${action} ${id} ${JSON.stringify(body)}`;
      return {
        name,
        moves: movesOf(action, (other) => other === id),
        async run(): Promise<Told> {
          const path = `/api/pgq/queues/${queue}/jobs/${id}/${action}`;
          const answer = await boardOf(turn).send('PUT', path, body);
          if (answer.status === 200) return { moved: new Set([id]) };
          if (answer.status === 404 || answer.status === 409) return { left: new Set([id]) };
          throw failure(name, answer);
        },
      };
    };

  const several =
    (action: string, body: object = {}) =>
    (model: Model, pick: number, turn: number): Step => {
      const all = [...model.keys()];
      const ids = all.filter((_id, at) => (at + pick) % 3 !== 0).slice(0, 100);
      if (ids.length === 0) ids.push(chosen(model, pick, nobody));
      const name = `${action} ${ids.join()}`;
      return {
        name,
        moves: movesOf(action, (id) => ids.includes(id)),
        async run(): Promise<Told> {
          const path = `/api/pgq/queues/${queue}/jobs/${action}`;
          const answer = await boardOf(turn).send('PUT', path, { ids, ...body });
          if (answer.status === 404) return { left: new Set(ids) };
          // One of the jobs is awaited, so that it removes none.
          if (answer.status === 409) return { isRefused: true, left: new Set(ids) };
          if (answer.status !== 200) throw failure(name, answer);
          const skipped = (answer.body['skipped'] ?? []) as unknown as { id: string }[];
          const left = new Set(skipped.map(({ id }) => id));
          const moved = new Set(ids.filter((id) => !left.has(id)));
          if (moved.size !== Number(answer.body['affected'])) throw failure(name, answer);
          return { moved, left };
        },
      };
    };

  const whole =
    (path: string, action: string, states: readonly string[]) =>
    (_model: Model, _pick: number, turn: number): Step => ({
      name: path,
      passesHeld: true,
      moves: movesOf(action, (_id, { state }) => states.includes(state)),
      async run(): Promise<Told> {
        const answer = await boardOf(turn).send('PUT', `/api/pgq/queues/${queue}/${path}`);
        if (answer.status > 202) throw failure(path, answer);
        return { count: await ended(boardOf(turn), answer, 'affected') };
      },
    });

  const run =
    (action: string, filter: 'kind' | 'state' | 'ids' | 'all') =>
    (model: Model, pick: number, turn: number): Step => {
      const kind = pick % 2 === 0 ? 'a' : 'b';
      const ids = [...model.keys()].filter((_id, at) => (at + pick) % 2 === 0);
      if (ids.length === 0) ids.push(chosen(model, pick, nobody));
      const state = [...waiting, ...finished][pick % 5] ?? 'created';
      const [how, isMeant] = (
        {
          kind: [{ filter: { 'data.kind': kind } }, (_id, job) => job.kind === kind],
          state: [{ filter: { state } }, (_id, job) => job.state === state],
          ids: [{ ids }, (id) => ids.includes(id)],
          all: [{ all: true }, () => true],
        } satisfies Record<string, [object, (id: string, job: ModelJob) => boolean]>
      )[filter];
      return runStep(
        boardOf(turn),
        { queueName: queue, action, ...how },
        { passesHeld: true, moves: movesOf(action, isMeant) },
      );
    };

  const fetch = (_model: Model, pick: number): Step => {
    const taken = new Set<string>();
    return {
      name: 'fetch',
      moves: (id, job) =>
        taken.has(id) && waiting.includes(job.state) && !(job as PgqJob).isLater
          ? 'active'
          : undefined,
      async run(): Promise<Told> {
        const jobs = await boss.fetch(queue, { batchSize: 1 + (pick % 3) });
        for (const { id } of jobs) taken.add(id);
        return { moved: taken };
      },
    };
  };

  const end =
    (way: 'complete' | 'fail') =>
    (model: Model, pick: number): Step => {
      const id = busy(model, pick);
      return {
        name: `${way} ${id}`,
        moves: (other, { state }) => {
          if (other !== id) return undefined;
          if (way === 'complete') return state === 'active' ? 'completed' : undefined;
          // The library lets a job fail that another one has put back meanwhile.
          return finished.includes(state) ? undefined : 'failed';
        },
        run: async () => {
          const { affected } = (await boss[way](queue, id)) as { affected?: number };
          if (way === 'fail' && affected === 1) failures.push(id);
          return {};
        },
      };
    };

  /** The library tells the jobs that wait for completed ones, in the background and where it is asked to. */
  const resolve = (): Step => ({
    name: 'resolve',
    moves: () => undefined,
    async run(): Promise<Told> {
      await boss.resolveFlow();
      return {};
    },
  });

  return {
    async add(way, kind) {
      if (way === 'flow') {
        const part = { name: queue, data: { kind } };
        const ids = await boss.flow([
          { ...part, ref: 'first' },
          { ...part, ref: 'second' },
          { ...part, ref: 'both', dependsOn: ['first', 'second'] },
          { ...part, ref: 'last', dependsOn: ['both'] },
        ]);
        const member = { state: 'created', kind, isLoose: true };
        return new Map(Object.values(ids).map((id) => [id, member]));
      }
      const options = way === 'later' ? { startAfter: hour } : {};
      const id = String(await boss.send(queue, { kind }, options));
      const job: PgqJob = { state: 'created', kind, isLater: way === 'later' };
      return new Map([[id, job]]);
    },
    ways: ['now', 'later', 'flow'],
    steps: [
      fetch,
      fetch,
      end('complete'),
      end('fail'),
      end('fail'),
      ...Object.keys(actions).flatMap((action) => [single(action), several(action)]),
      single('remove', { removeDependents: true }),
      several('remove', { removeDependents: true }),
      resolve,
      resolve,
      whole('retry-failed', 'retry', ['failed']),
      whole('delete-queued', 'remove', waiting),
      whole('delete-stored', 'remove', finished),
      run('remove', 'kind'),
      run('remove', 'state'),
      run('remove', 'ids'),
      run('remove', 'all'),
      run('retry', 'all'),
      run('retry', 'kind'),
      run('cancel', 'kind'),
      run('cancel', 'ids'),
      run('resume', 'ids'),
    ],
    async states() {
      const { rows } = await admin.query<{ id: string; state: string }>(
        'select id, state from pgboss.job where name = $1',
        [queue],
      );
      const states = new Map(rows.map(({ id, state }) => [id, state]));
      if (states.size < rows.length) throw new Error('a job stands twice');
      return states;
    },
    async flaws() {
      const { rows } = await admin.query<{ flaw: string }>(
        `select 'job ' || id || ' is ' || state || ' without a time of its end' as flaw from pgboss.job
           where name = $1 and completed_on is null and state >= 'completed'
         union all
         select 'job ' || id || ' is active and blocked' from pgboss.job
           where name = $1 and blocked and state = 'active'
         union all
         select 'job ' || job.id || ' counts ' || pending_dependencies || ' jobs' from pgboss.job
           where name = $1 and (blocked <> (pending_dependencies > 0) or pending_dependencies <> (
             select count(*) from pgboss.job_dependency d
               join pgboss.job parent on parent.name = d.parent_name and parent.id = d.parent_id
               where d.child_name = job.name and d.child_id = job.id and parent.blocking))`,
        [queue],
      );
      const { rows: letters } = await admin.query<{ id: string; state: string }>(
        'select source_id::text as id, state from pgboss.job where name = $1',
        [dead],
      );
      const told = letters.map(({ id }) => id).toSorted();
      const due = failures.toSorted();
      return [
        ...rows.map(({ flaw }) => flaw),
        ...(told.join() === due.join() ? [] : [`dead letters of ${told}, and not of ${due}`]),
        ...letters.flatMap(({ id, state }) =>
          state === 'created' ? [] : [`the dead letter of ${id} is ${state}`],
        ),
      ];
    },
    async close() {
      await boss.deleteQueue(queue);
      await boss.deleteQueue(dead);
    },
  };
}
