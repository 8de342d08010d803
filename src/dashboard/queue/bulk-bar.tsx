/** Commands for the selected jobs, with all that match, or with all of a state. */

import { useEffect, useRef, useState } from 'react';

import { useAllowed } from '../actions/perform.ts';
import type { QueuePlace } from '../api/boards.ts';
import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';
import { Button } from '../kit/button.tsx';
import { Confirm } from '../kit/confirm.tsx';
import { copyText } from '../kit/copy.ts';
import { stateName } from '../kit/states.tsx';
import { actionOf, storedState, verbIcons, verbKeys, verbsOf } from '../job/verbs.ts';
import type { QueueRights, Verb } from '../job/verbs.ts';
import type { JobRow } from './jobs.ts';
import { beginRun, countRun, doOneByOne, useRun } from './runs.ts';
import type { RunVerb } from './runs.ts';
import { clean } from './wide-commands.ts';
import style from './queue.module.css';

/** States of kvq whose jobs a run by filter may remove. */
const removable = ['waiting', 'prioritized', 'paused', 'delayed', 'completed', 'failed'];

export function BulkBar({
  board,
  queueName,
  rights,
  may,
  jobs,
  selection,
  filter,
  more,
  state,
  total,
  onDone,
  onAll,
  onNone,
}: QueuePlace & {
  readonly rights: QueueRights;
  /** Actions that this person may do; undefined for all. */
  readonly may: readonly string[] | undefined;
  /** The selected jobs. */
  readonly jobs: readonly JobRow[];
  /** Their ids: another set is another selection. */
  readonly selection: ReadonlySet<string>;
  /** The filter of the list, for a run; undefined if no run takes it. */
  readonly filter: Record<string, string> | undefined;
  /** Whether all rows of the page are selected, and there are others. */
  readonly more: boolean;
  readonly state: string;
  /** Jobs in the state; undefined for a search. */
  readonly total: number | undefined;
  readonly onDone: () => void;
  readonly onAll: () => void;
  readonly onNone: () => void;
}) {
  const [question, ask] = useState<{
    readonly all: boolean;
    readonly count: number;
    readonly of: ReadonlySet<string>;
  }>();
  const [matching, match] = useState<{
    readonly count: number;
    readonly of: ReadonlySet<string>;
  }>();
  const [pending, wait] = useState<Verb | 'count'>();
  const counting = useRef<AbortController>(undefined);
  // A count belongs to the selection that it was asked for.
  useEffect(() => () => counting.current?.abort(), [selection]);
  const [running, run] = useState<{
    readonly done: number;
    readonly of: number;
    readonly stop: () => void;
  }>();
  const allowed = useAllowed(board, queueName, may);
  const ofQueue = useRun(board, queueName);
  const matched = matching?.of === selection ? matching : undefined;
  const asked = question?.of === selection ? question : undefined;
  const runs = (verb: Verb): verb is RunVerb => verb !== 'release' && allowed(actionOf(verb, true));
  const verbsOfMatching = verbsOf(board.engine, state, rights).filter(
    (verb) =>
      runs(verb) && (board.engine === 'pgq' || verb !== 'remove' || removable.includes(state)),
  );
  const verbsOfJobs = [
    ...new Set(jobs.flatMap((job) => [...verbsOf(board.engine, job.state, rights, job.orphaned)])),
  ].filter((verb) => runs(verb) || allowed(actionOf(verb)));
  const verbs = matched ? verbsOfMatching : verbsOfJobs;

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

  const start = async (verb: Verb) => {
    const able = jobs.filter((job) =>
      verbsOf(board.engine, job.state, rights, job.orphaned).includes(verb),
    );
    if (runs(verb)) {
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
      if (begun) onDone();
      return;
    }
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    run({ done: 0, of: able.length, stop });
    const onProgress = (done: number) => run({ done, of: able.length, stop });
    await doOneByOne(board, queueName, able, verb, onProgress, stopping.signal);
    run(undefined);
    onDone();
  };
  const begin = async (verb: Verb) => {
    if (pending) return;
    if (verb !== 'remove') await start(verb);
    else if (!matched) ask({ all: false, count: jobs.length, of: selection });
    else {
      // The jobs to remove are counted for removal, and now.
      const found = await count('remove', 'remove');
      if (found !== undefined) ask({ all: false, count: found, of: selection });
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

  const wideVerb: RunVerb | undefined =
    board.engine === 'kvq' && state === 'delayed' && rights.promote && allowed('jobs.promote')
      ? 'promote'
      : state === 'failed' && rights.retries && allowed('jobs.retry')
        ? 'retry'
        : undefined;
  const startWide = async (verb: RunVerb) => {
    if (!filter) return;
    wait(verb);
    await beginRun(board, queueName, verb, { filter });
    wait(undefined);
  };
  const cleanable =
    board.engine === 'kvq' &&
    ['completed', 'failed', 'delayed'].includes(state) &&
    allowed('jobs.remove');

  if (running) {
    return (
      <div className={style['bulk']} role="status">
        <progress max={running.of} value={running.done} aria-label={t('bulk.running')} />
        <span>{t('bulk.progress', { done: exact(running.done), of: exact(running.of) })}</span>
        <Button onClick={running.stop}>{t('bulk.stop')}</Button>
      </div>
    );
  }
  if (jobs.length === 0) {
    if (
      ofQueue ||
      !rights.writable ||
      total === undefined ||
      total === 0 ||
      (!wideVerb && !cleanable)
    )
      return null;
    return (
      <div className={style['bulk']} data-quiet>
        {wideVerb && (
          <Button
            icon={verbIcons[wideVerb]}
            pending={pending === wideVerb}
            onClick={() => void startWide(wideVerb)}
          >
            {t(wideVerb === 'retry' ? 'queue.retryFailed' : 'queue.promoteAll', { count: total })}
          </Button>
        )}
        {cleanable && (
          <Button
            look="quiet"
            icon="trash"
            onClick={() => ask({ all: true, count: total, of: selection })}
          >
            {t('queue.removeAll', { count: total, state: stateName(state) })}
          </Button>
        )}
        {asked?.all && (
          <Confirm
            title={t('confirm.clean.title', {
              queue: queueName,
              count: total,
              state: stateName(state),
            })}
            action={t('confirm.clean.action')}
            close={() => ask(undefined)}
            run={() => void clean(state)(board, queueName)}
          >
            <p>
              {t('confirm.clean.text', { queue: queueName, count: total, state: stateName(state) })}
            </p>
          </Confirm>
        )}
      </div>
    );
  }
  return (
    <div className={style['bulk']} role="region" aria-label={t('bulk.label')}>
      <span className={style['chosen']}>
        {matched
          ? t('bulk.allMatching', { count: matched.count })
          : t('bulk.selected', { count: jobs.length })}
      </span>
      {!more ? (
        <Button look="quiet" onClick={onAll}>
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
      <Button look="quiet" onClick={onNone}>
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
      {asked && !asked.all && (
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
