/** Commands for the selected jobs, with all that match, or with all of a state. */

import { useEffect, useRef, useState } from 'react';

import { useAllowed } from '../actions/perform.ts';
import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/dialogs/confirm.tsx';
import { copyText } from '../kit/copy.ts';
import { stateName } from '../kit/states.tsx';
import { actionOf, storedState, verbIcons, verbKeys, verbsOf } from '../job/verbs.ts';
import type { Verb } from '../job/verbs.ts';
import type { ShownQueue } from './info.ts';
import type { JobRow } from './jobs.ts';
import { beginRun, countRun, doOneByOne, useRun } from './runs.ts';
import type { RunVerb } from './runs.ts';
import { clean } from './wide-commands.ts';
import style from './queue.module.css';

/** States of kvq whose jobs a run by filter may remove. */
const removable = ['waiting', 'prioritized', 'paused', 'delayed', 'completed', 'failed'];

interface List extends ShownQueue {
  readonly state: string;
  /** The filter of the list, for a run; undefined if no run takes it. */
  readonly filter: Record<string, string> | undefined;
  /** Jobs in the state; undefined for a search. */
  readonly total: number | undefined;
  readonly rows: readonly JobRow[];
  /** Whether there are others than these rows. */
  readonly hasOthers: boolean;
  /** Ids of jobs: another set is another selection. */
  readonly selected: ReadonlySet<string>;
  readonly select: (selected: ReadonlySet<string>) => void;
  /** Told that something was done to the selected jobs. */
  readonly onDone: () => void;
}

/** Commands that are given one by one. */
interface Running {
  readonly done: number;
  readonly of: number;
  readonly stop: () => void;
}

export function BulkBar(list: List) {
  const [running, run] = useState<Running>();
  const jobs = list.rows.filter(({ id }) => list.selected.has(id));
  if (running) {
    return (
      <div className={style['bulk']} role="status">
        <progress max={running.of} value={running.done} aria-label={t('bulk.running')} />
        <span>{t('bulk.progress', { done: exact(running.done), of: exact(running.of) })}</span>
        <Button onClick={running.stop}>{t('bulk.stop')}</Button>
      </div>
    );
  }
  return jobs.length === 0 ? (
    <AllOfState {...list} />
  ) : (
    <Selection list={list} jobs={jobs} run={run} />
  );
}

function AllOfState({ board, queueName, info, state, filter, total = 0 }: List) {
  const [asking, ask] = useState(false);
  const [pending, wait] = useState(false);
  const allowed = useAllowed(board, queueName, info.allowed);
  const ofQueue = useRun(board, queueName);
  const { rights } = info;
  const isKvq = board.engine === 'kvq';
  const verb: RunVerb | undefined =
    isKvq && state === 'delayed' && rights.promote && allowed('jobs.promote')
      ? 'promote'
      : state === 'failed' && rights.retries && allowed('jobs.retry')
        ? 'retry'
        : undefined;
  const cleanable =
    isKvq && ['completed', 'failed', 'delayed'].includes(state) && allowed('jobs.remove');
  if (ofQueue || !rights.writable || total === 0 || (!verb && !cleanable)) return null;
  const start = async (wanted: RunVerb) => {
    if (!filter) return;
    wait(true);
    await beginRun(board, queueName, wanted, { filter });
    wait(false);
  };
  const words = { queue: queueName, count: total, state: stateName(state) };
  return (
    <div className={style['bulk']} data-quiet>
      {verb && (
        <Button icon={verbIcons[verb]} pending={pending} onClick={() => void start(verb)}>
          {t(verb === 'retry' ? 'queue.retryFailed' : 'queue.promoteAll', words)}
        </Button>
      )}
      {cleanable && (
        <Button look="quiet" icon="trash" onClick={() => ask(true)}>
          {t('queue.removeAll', words)}
        </Button>
      )}
      {asking && (
        <Confirm
          title={t('confirm.clean.title', words)}
          action={t('confirm.clean.action')}
          close={() => ask(false)}
          run={() => void clean(state)(board, queueName)}
        >
          <p>{t('confirm.clean.text', words)}</p>
        </Confirm>
      )}
    </div>
  );
}

/** A number of jobs, and the selection that it was asked for. */
interface Counted {
  readonly count: number;
  readonly of: ReadonlySet<string>;
}

function Selection({
  list,
  jobs,
  run,
}: {
  readonly list: List;
  readonly jobs: readonly JobRow[];
  readonly run: (running: Running | undefined) => void;
}) {
  const { board, queueName, info, state, filter, rows, selected: selection, select } = list;
  const [question, ask] = useState<Counted>();
  const [matching, match] = useState<Counted>();
  const [pending, wait] = useState<Verb | 'count'>();
  const counting = useRef<AbortController>(undefined);
  // A count belongs to the selection that it was asked for.
  useEffect(() => () => counting.current?.abort(), [selection]);
  const allowed = useAllowed(board, queueName, info.allowed);
  const matched = matching?.of === selection ? matching : undefined;
  const asked = question?.of === selection ? question : undefined;
  const runs = (verb: Verb): verb is RunVerb => verb !== 'release' && allowed(actionOf(verb, true));
  const verbsOfMatching = verbsOf(board.engine, state, info.rights).filter(
    (verb) =>
      runs(verb) && (board.engine === 'pgq' || verb !== 'remove' || removable.includes(state)),
  );
  const verbsOfJob = (job: JobRow) => verbsOf(board.engine, job.state, info.rights, job.orphaned);
  const verbs = matched
    ? verbsOfMatching
    : [...new Set(jobs.flatMap(verbsOfJob))].filter(
        (verb) => runs(verb) || allowed(actionOf(verb)),
      );

  const count = async (verb: Verb | undefined, cause: Verb | 'count') => {
    if (!filter || !verb || !runs(verb)) return undefined;
    counting.current?.abort();
    const stopping = new AbortController();
    counting.current = stopping;
    wait(cause);
    const found = await countRun(board, queueName, verb, filter, stopping.signal);
    if (counting.current === stopping) wait(undefined);
    return stopping.signal.aborted ? undefined : found;
  };
  const matchAll = async () => {
    const found = await count(verbsOfMatching[0], 'count');
    if (found !== undefined) match({ count: found, of: selection });
  };
  const startRun = async (verb: RunVerb, able: readonly JobRow[]) => {
    wait(verb);
    const seen = {
      ids: able.map(({ id }) => id),
      expectedState: able.map((job) =>
        board.engine === 'pgq' ? storedState(job.state) : job.state,
      ) as 'failed'[],
    };
    const begun = await (matched && filter
      ? beginRun(board, queueName, verb, { filter })
      : beginRun(board, queueName, verb, seen, able.length));
    wait(undefined);
    if (begun) list.onDone();
  };
  const start = async (verb: Verb) => {
    const able = jobs.filter((job) => verbsOfJob(job).includes(verb));
    if (runs(verb)) return startRun(verb, able);
    const stopping = new AbortController();
    const onProgress = (done: number) =>
      run({ done, of: able.length, stop: () => stopping.abort() });
    onProgress(0);
    await doOneByOne(board, queueName, able, verb, onProgress, stopping.signal);
    run(undefined);
    list.onDone();
  };
  const begin = async (verb: Verb) => {
    if (pending) return;
    if (verb !== 'remove') await start(verb);
    else if (!matched) ask({ count: jobs.length, of: selection });
    else {
      // The jobs to remove are counted for removal, and now.
      const found = await count('remove', 'remove');
      if (found !== undefined) ask({ count: found, of: selection });
    }
  };
  useActions(
    verbs.map((verb) => ({
      id: `bulk-${verb}`,
      title: t(`verb.${verb}`),
      ...(verbKeys[verb] && { keys: verbKeys[verb] }),
      group: 'job' as const,
      run: () => void begin(verb),
    })),
  );
  const isWhole = list.hasOthers && rows.every(({ id }) => selection.has(id));
  return (
    <div className={style['bulk']} role="region" aria-label={t('bulk.label')}>
      <span className={style['chosen']}>
        {matched
          ? t('bulk.allMatching', { count: matched.count })
          : t('bulk.selected', { count: jobs.length })}
      </span>
      {!isWhole ? (
        <Button look="quiet" onClick={() => select(new Set(rows.map(({ id }) => id)))}>
          {t('list.selectPage')}
        </Button>
      ) : (
        !matched &&
        filter &&
        verbsOfMatching.length > 0 && (
          <Button look="quiet" pending={pending === 'count'} onClick={() => void matchAll()}>
            {t('bulk.selectMatching')}
          </Button>
        )
      )}
      <Button look="quiet" onClick={() => select(new Set())}>
        {t('list.selectNone')}
      </Button>
      <span className={style['gap']} />
      {verbs.map((verb) => (
        <Button
          key={verb}
          icon={verbIcons[verb]}
          look={verb === 'remove' ? 'danger' : verb === 'retry' ? 'primary' : 'plain'}
          hint={verbKeys[verb]}
          pending={pending === verb}
          onClick={() => void begin(verb)}
        >
          {t(`verb.${verb}`)}
          {verb === 'remove' && '…'}
        </Button>
      ))}
      {!matched && (
        <Button
          look="quiet"
          icon="copy"
          onClick={() => void copyText(jobs.map(({ id }) => id).join('\n'), t('bulk.ids'))}
        >
          {t('bulk.copyIds')}
        </Button>
      )}
      {asked && (
        <Confirm
          title={t('confirm.remove.title', { count: asked.count })}
          action={t('confirm.remove.action', { count: asked.count })}
          close={() => ask(undefined)}
          run={() => void start('remove')}
        >
          <p>
            {t('confirm.remove.text', {
              count: asked.count,
              states: matched
                ? stateName(state)
                : [...new Set(jobs.map((job) => stateName(job.state)))].join(', '),
              queue: queueName,
            })}
          </p>
        </Confirm>
      )}
    </div>
  );
}
