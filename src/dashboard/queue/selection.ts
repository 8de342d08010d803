/** Commands for the selected jobs, or for all that match: which there are, and what has to be asked first. */

import { useEffect, useRef, useState } from 'react';

import type { Many } from '../job/ask-many.tsx';
import { useAllowed } from '../actions/perform.ts';
import { actionOf, storedState, verbsOf } from '../job/verbs.ts';
import type { Verb } from '../job/verbs.ts';
import type { ShownQueue } from './info.ts';
import type { JobRow } from './jobs.ts';
import { asksFirst } from './queue-commands.ts';
import { beginRun, countRun, doOneByOne } from './runs.ts';
import type { Run, RunVerb } from './runs.ts';

/** States of kvq whose jobs a run by filter may remove. */
const removable = ['waiting', 'prioritized', 'paused', 'delayed', 'completed', 'failed'];

export interface List extends ShownQueue {
  readonly state: string;
  /** The filter of the list, for a run; undefined if no run takes it. */
  readonly filter: Record<string, string> | undefined;
  /** The filter as it is written. */
  readonly text: string;
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
export interface Running {
  readonly done: number;
  readonly of: number;
  readonly stop: () => void;
}

/** A number of jobs, and the selection that it was asked for. */
interface Counted {
  readonly count: number;
  readonly of: ReadonlySet<string>;
}

interface Question extends Counted {
  readonly verb: Verb;
  /** The dry run that has counted the jobs. */
  readonly counted?: Run;
}

/** The commands that these jobs take, and those for all that match. */
function useVerbs({ board, queueName, info, state }: List) {
  const allowed = useAllowed(board, queueName, info.allowed);
  const runs = (verb: Verb): verb is RunVerb => verb !== 'release' && allowed(actionOf(verb, true));
  const ofJob = (job: JobRow) => verbsOf(board.engine, job.state, info.rights, job.orphaned);
  return {
    runs,
    ofJob,
    ofJobs: (jobs: readonly JobRow[]) =>
      [...new Set(jobs.flatMap(ofJob))].filter((verb) => runs(verb) || allowed(actionOf(verb))),
    ofMatching: verbsOf(board.engine, state, info.rights).filter(
      (verb): verb is RunVerb =>
        runs(verb) && (board.engine === 'pgq' || verb !== 'remove' || removable.includes(state)),
    ),
  };
}

/** Counts the jobs that a run would take; another selection, or another count, stops it. */
function useCount({ board, queueName, filter, selected }: List) {
  const [counted, setCounted] = useState<Verb | 'matching'>();
  const counting = useRef<AbortController>(undefined);
  // A count belongs to the selection that it was asked for.
  useEffect(() => () => counting.current?.abort(), [selected]);
  const count = async (verb: RunVerb, cause: Verb | 'matching') => {
    if (!filter) return undefined;
    counting.current?.abort();
    const stopping = new AbortController();
    counting.current = stopping;
    setCounted(cause);
    const found = await countRun(board, queueName, verb, filter, stopping.signal);
    if (counting.current === stopping) setCounted(undefined);
    return stopping.signal.aborted ? undefined : found;
  };
  return { count, counting: counted };
}

/** @param run shows commands that are given one by one */
export function useSelection(
  list: List,
  jobs: readonly JobRow[],
  run: (running: Running | undefined) => void,
) {
  const { board, queueName, state, filter, text, selected: selection } = list;
  const [question, ask] = useState<Question>();
  const [matching, match] = useState<Counted>();
  const [started, wait] = useState<Verb>();
  const verbs = useVerbs(list);
  const { count, counting } = useCount(list);
  const pending = counting ?? started;
  const matched = matching?.of === selection ? matching : undefined;
  const asked = question?.of === selection ? question : undefined;
  const ableTo = (verb: Verb) => jobs.filter((job) => verbs.ofJob(job).includes(verb));

  const matchAll = async () => {
    const [verb] = verbs.ofMatching;
    const found = verb && (await count(verb, 'matching'));
    if (found !== undefined) match({ count: found.matched, of: selection });
  };
  const startRun = async (verb: RunVerb, rate: number | undefined) => {
    wait(verb);
    const able = ableTo(verb);
    const seen = {
      ids: able.map(({ id }) => id),
      expectedState: able.map((job) =>
        board.engine === 'pgq' ? storedState(job.state) : job.state,
      ) as 'failed'[],
    };
    const begun = await (matched && filter
      ? beginRun(board, queueName, verb, { filter }, { rate })
      : beginRun(board, queueName, verb, seen, { asked: able.length, rate }));
    wait(undefined);
    if (begun) list.onDone();
  };
  const start = async (verb: Verb, rate?: number) => {
    if (verbs.runs(verb)) return startRun(verb, rate);
    const able = ableTo(verb);
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
    if (matched) {
      // The jobs are counted for this command, and now.
      const found = verbs.runs(verb) ? await count(verb, verb) : undefined;
      if (found !== undefined) ask({ verb, count: found.matched, counted: found, of: selection });
      return;
    }
    const able = ableTo(verb);
    const states = able.map((job) => job.state);
    if (asksFirst(verb, able.length, states)) ask({ verb, count: able.length, of: selection });
    else await start(verb);
  };
  const open: Many | undefined = asked && {
    verb: asked.verb,
    count: asked.count,
    states: matched ? [state] : ableTo(asked.verb).map((job) => job.state),
    queue: queueName,
    filter: matched && text,
  };
  return {
    /** The question that is open. */
    asked: open,
    /** The dry run that has counted its jobs. */
    counted: asked?.counted,
    close: () => ask(undefined),
    begin,
    start,
    pending,
    matched: matched?.count,
    /** Chooses all that match; absent where no command is for them. */
    matchAll: filter && verbs.ofMatching.length > 0 ? matchAll : undefined,
    verbs: matched ? verbs.ofMatching : verbs.ofJobs(jobs),
  };
}
