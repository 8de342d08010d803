/** Runs of a command over many jobs: counted, begun, followed until they end, stopped, and told by reason. */

import { useSyncExternalStore } from 'react';

import { perform } from '../actions/perform.ts';
import type { Board } from '../api/boards.ts';
import type { Answer, CallOptions } from '../api/client.ts';
import { errorText, keyText } from '../api/error-text.ts';
import { failureOf } from '../api/errors.ts';
import { repeatReads } from '../api/queries.ts';
import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { actionOf, doVerb } from '../job/verbs.ts';
import type { Verb } from '../job/verbs.ts';
import { tell } from '../kit/notices.ts';
import { sharedValue } from '../live/shared-value.ts';

export type Run = Answer<'GET /api/bulk/{runId}'>['run'];

export type RunVerb = Exclude<Verb, 'release'>;

/** The body that begins a run. */
type BulkBody = NonNullable<CallOptions<'POST /api/bulk'>['body']>;

/** The jobs of a run: those with the ids, each in the state that was seen, or those that a filter of the search finds. */
export type RunJobs =
  | {
      readonly ids: string[];
      readonly expectedState: NonNullable<BulkBody['expectedState']>;
      readonly filter?: undefined;
    }
  | { readonly filter: Record<string, string>; readonly ids?: undefined };

/** The action of a run in the past, and the number of its jobs. */
export const didText = ({
  undoes,
  action,
  changed,
}: Pick<Result, 'undoes' | 'action' | 'changed'>): string =>
  `${t(undoes ? 'bulk.undone' : `bulk.did.${action}`)} ${exact(changed)}`;

/** Milliseconds between two looks at a run, and after one that got no answer. */
const [lookMs, unansweredMs] = [400, 2_000];

const following = sharedValue<ReadonlyMap<string, Run>>(new Map());

const nameOf = (board: Board, queueName: string): string => `${board.basePath} ${queueName}`;

function show(board: Board, queueName: string, run: Run | undefined): void {
  const next = new Map(following.get());
  if (run) next.set(nameOf(board, queueName), run);
  else next.delete(nameOf(board, queueName));
  following.set(next);
}

/** The run of a queue that is followed. */
export function useRun(board: Board, queueName: string): Run | undefined {
  return useSyncExternalStore(following.subscribe, () =>
    following.get().get(nameOf(board, queueName)),
  );
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/** Resolves when the tab is seen: a hidden one asks nothing. */
const seen = (): Promise<void> =>
  new Promise((resolve) => {
    if (!document.hidden) resolve();
    else document.addEventListener('visibilitychange', () => resolve(), { once: true });
  });

/** Looks at a run until it has ended. */
async function ended(
  board: Board,
  begun: Run,
  onLook: (run: Run) => void,
  signal?: AbortSignal,
): Promise<Run> {
  let run = begun;
  while (run.state === 'running' && !signal?.aborted) {
    onLook(run);
    await pause(lookMs);
    await seen();
    try {
      ({ run } = await board.client.call('GET /api/bulk/{runId}', { params: { runId: run.id } }));
    } catch (error) {
      // The run goes on without its client, also while a proxy answers for the board or the session has ended.
      const { status } = failureOf(error);
      if (![0, 401, 429].includes(status) && status < 500) throw error;
      await pause(unansweredMs);
    }
  }
  return run;
}

export const stopRun = ({ client }: Board, { id }: Run): Promise<unknown> =>
  client.call('POST /api/bulk/{runId}/cancel', { params: { runId: id } });

/** Reasons that say that the job was in another state. */
const ofState = new Set([
  'JOB_CHANGED',
  'JOB_IS_ACTIVE',
  'JOB_NOT_DELAYED',
  'JOB_NOT_RETRIABLE',
  'PGQ_JOB_STATE_CONFLICT',
]);

/** The outcome of a command over several jobs. */
interface Result extends Pick<Run, 'state' | 'changed' | 'matched' | 'problem'> {
  readonly undoes?: string | null;
  readonly action: Verb;
  readonly refused: readonly {
    readonly count: number;
    readonly reason: { readonly key: string; readonly options?: object | undefined };
  }[];
}

/** Ended runs whose jobs may be given back, by the name of the queue. */
const undoable = sharedValue<ReadonlyMap<string, Run>>(new Map());

function offerUndo(board: Board, queueName: string, run: Run | undefined): void {
  const next = new Map(undoable.get());
  if (run?.undoable) next.set(nameOf(board, queueName), run);
  else next.delete(nameOf(board, queueName));
  undoable.set(next);
}

/** The last run of a queue, if its jobs may be given back. */
export function useUndoable(board: Board, queueName: string): Run | undefined {
  return useSyncExternalStore(undoable.subscribe, () =>
    undoable.get().get(nameOf(board, queueName)),
  );
}

/** Gives the jobs of a run back that have not started. */
export function undoRun(board: Board, { id, queueName, action }: Run): Promise<boolean> {
  offerUndo(board, queueName, undefined);
  return perform({
    board,
    action: actionOf(action, true),
    queue: queueName,
    run: async () => {
      const { run } = await board.client.call('POST /api/bulk/{runId}/undo', {
        params: { runId: id },
      });
      void follow(board, run);
    },
  });
}

/** "requested 40 · retried 38 · 2 not in a state for it". */
function tellResult(run: Result, asked: number | undefined): void {
  const refused = run.refused.reduce((sum, { count }) => sum + count, 0);
  const requested = asked ?? Math.max(run.matched, run.changed + refused);
  const conflicts = run.refused
    .filter(({ reason }) => ofState.has(reason.key.replace(/^ERRORS\./, '')))
    .reduce((sum, { count }) => sum + count, 0);
  const { state, problem } = run;
  // A reason that counts for several jobs cannot tell the state of each.
  const another = { state: t('bulk.another'), status: t('bulk.another') };
  tell({
    text: [
      ...(state === 'cancelled' ? [t('bulk.stopped')] : []),
      ...(problem ? [keyText(problem.key, problem.options)] : []),
      t('bulk.requested', { count: exact(requested) }),
      didText(run),
      ...(conflicts > 0 ? [t('bulk.refused', { count: exact(conflicts) })] : []),
      ...(refused > conflicts ? [t('bulk.otherwise', { count: exact(refused - conflicts) })] : []),
    ].join(' · '),
    details:
      refused > 0
        ? run.refused.map(
            ({ count, reason }) =>
              `${exact(count)} × ${keyText(reason.key, { ...another, ...reason.options })}`,
          )
        : undefined,
    tone: state === 'failed' || (run.changed === 0 && requested > 0) ? 'danger' : 'info',
  });
}

/** Shows a run until it ends, on whatever screen the person is then, and tells its result. */
export async function follow(board: Board, begun: Run, asked?: number): Promise<void> {
  const { queueName } = begun;
  if (following.get().get(nameOf(board, queueName))?.id === begun.id) return;
  try {
    const run = await ended(board, begun, (looked) => show(board, queueName, looked));
    tellResult(run, asked);
    offerUndo(board, queueName, run);
  } catch (error) {
    tell({ text: errorText(failureOf(error)), tone: 'danger' });
  } finally {
    show(board, queueName, undefined);
    void repeatReads(board);
  }
}

/** Follows the run of the queue that another tab or person has begun, if there is one. */
export async function followOthers(board: Board, queueName: string): Promise<void> {
  try {
    const { runs } = await board.client.call('GET /api/bulk');
    const run = runs.find(
      (each) => each.queueName === queueName && each.state === 'running' && !each.dryRun,
    );
    if (run) return await follow(board, run);
    const last = runs.find((each) => each.queueName === queueName && !each.dryRun);
    offerUndo(board, queueName, last);
  } catch {
    // The screen says itself that the board does not answer.
  }
}

/** Begins a run; true if it has begun. Its progress and result are shown by the page. */
export function beginRun(
  board: Board,
  queueName: string,
  verb: RunVerb,
  jobs: RunJobs,
  { asked, rate }: { readonly asked?: number; readonly rate?: number | undefined } = {},
): Promise<boolean> {
  return perform({
    board,
    action: actionOf(verb, true),
    queue: queueName,
    run: async () => {
      const { run } = await board.client.call('POST /api/bulk', {
        body: { queueName, action: verb, ...jobs, ...(rate !== undefined && { rate }) },
      });
      void follow(board, run, asked);
    },
    failed: (failure) => {
      tell({ text: errorText(failure), tone: 'danger' });
      if (failure.key === 'BULK_RUNNING') void followOthers(board, queueName);
    },
  });
}

/** Counts the jobs that a run would take, without a change; undefined if it could not, or was aborted. */
export async function countRun(
  board: Board,
  queueName: string,
  verb: RunVerb,
  filter: Record<string, string>,
  signal: AbortSignal,
): Promise<Run | undefined> {
  let count: Run | undefined;
  await perform({
    board,
    action: actionOf(verb, true),
    queue: queueName,
    run: async () => {
      const { run: begun } = await board.client.call('POST /api/bulk', {
        body: { queueName, action: verb, filter, dryRun: true },
      });
      const run = await ended(board, begun, () => undefined, signal);
      if (run.state === 'running') await stopRun(board, run);
      else if (run.problem) {
        tell({ text: keyText(run.problem.key, run.problem.options), tone: 'danger' });
      } else if (!signal.aborted) count = run;
    },
  });
  return count;
}

/** Single commands under way at a time. */
const lanes = 6;

/** Does it to several jobs where no run may do it, and tells what came of it. */
export async function doOneByOne(
  board: Board,
  queueName: string,
  jobs: readonly { readonly id: string; readonly state: string }[],
  verb: Verb,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let [changed, done] = [0, 0];
  const refused = new Map<string, Result['refused'][number]>();
  const rest = [...jobs];
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let job = rest.shift(); job && !signal.aborted; job = rest.shift()) {
        try {
          await doVerb(board, queueName, job, verb);
          changed += 1;
        } catch (error) {
          const reason = failureOf(error);
          const text = keyText(reason.key, reason.options);
          refused.set(text, { reason, count: (refused.get(text)?.count ?? 0) + 1 });
        }
        done += 1;
        onProgress(done);
      }
    }),
  );
  const state = signal.aborted ? 'cancelled' : 'completed';
  const matched = jobs.length;
  tellResult({ state, action: verb, changed, matched, refused: [...refused.values()] }, matched);
  void repeatReads(board);
}
