/** The parts of the steps that both engines have: the choice of a job, the end of a command, and runs. */

import type { Model, Step, Told } from './model.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Board {
  get(path: string): Promise<Answer>;
  send(method: string, path: string, body?: object): Promise<Answer>;
}

interface Body {
  readonly run?: { readonly id: string; readonly state: string; readonly changed: number };
  readonly [count: string]: unknown;
}

/** One of the jobs; the id of none where there is no job. */
export const chosen = (model: Model, pick: number, none: string): string =>
  [...model.keys()][pick % Math.max(1, model.size)] ?? none;

export function failure(name: string, { status, body }: Answer): Error {
  return new Error(`${name}: ${status} ${JSON.stringify(body)}`);
}

/** The number of jobs that a command has moved: by its answer, or by the end of its run. */
export async function ended(board: Board, answer: Answer, count: string): Promise<number> {
  let { run, [count]: told } = answer.body as Body;
  if (!run) return Number(told);
  const path = `/api/bulk/${run.id}`;
  while (run?.state === 'running') ({ run } = (await board.get(path)).body as Body);
  if (run?.state !== 'completed') throw new Error(`a run ${JSON.stringify(run)}`);
  return run.changed;
}

/** A run over the jobs that `moves` is about. */
export function runStep(
  board: Board,
  body: { readonly queueName: string; readonly action: string; readonly [how: string]: unknown },
  { moves, ...holds }: Pick<Step, 'moves' | 'passesHeld' | 'maySpare'>,
): Step {
  const { queueName: _, action, ...how } = body;
  const name = `a run to ${action} ${JSON.stringify(how)}`;
  let hasBegun = false;
  return {
    name,
    ...holds,
    moves: (id, job) => (hasBegun ? moves(id, job) : undefined),
    async run(): Promise<Told> {
      const answer = await board.send('POST', '/api/bulk', body);
      // Another run of the queue is under way.
      if (answer.status === 409) return {};
      if (answer.status > 202) throw failure(name, answer);
      hasBegun = true;
      return { count: await ended(board, answer, '') };
    },
  };
}
