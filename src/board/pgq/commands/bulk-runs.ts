/** The work of runs over many jobs of a queue: those with given ids, or those that a filter of the search accepts. */

import { deserialize, serialize } from 'node:v8';
import * as z from 'zod';

import { PgqJobState, isUndoable, seenById } from '../../contract/index.ts';
import type { StartBulkBody } from '../../contract/index.ts';
import { BoardError, type HookRequest } from '../../core/index.ts';
import type { BulkControl, BulkEngine, PreparedRun, RunStore } from '../../core/index.ts';
import { fixedFilter } from '../../filters/where.ts';
import { translateError } from '../connect/translate-error.ts';
import { largestPart } from '../listings/listing-rules.ts';
import type { Installation } from '../listings/installation.ts';
import type { Authorised, VisibleQueues } from '../listings/visible-queues.ts';
import { tableBlocks } from '../reads/blocks.ts';
import { statementOf } from '../reads/conditions.ts';
import { jobStatesById } from '../reads/job-rows.ts';
import type { SearchRequest } from '../reads/search-request.ts';
import type { ShownValues } from '../reads/shown-values.ts';
import { type JobAction, methods } from './change-jobs.ts';
import { type Seen, changeLocked, sortOut } from './chosen-jobs.ts';
import { deleteListed, lockListed, nextIds, sweepFiltered } from './filtered-jobs.ts';
import { beforeAll, lockJobs } from './locked-jobs.ts';
import { allowedStates } from './change-jobs.ts';
import { type Place, placeOf, positionOf, sweptFirst } from './place.ts';
import { purgeJobs } from './purge.ts';
import { StepSize } from './step-size.ts';
import { blocksOf, largestStep } from './sweep.ts';
import type { RestOfCommand } from './purge.ts';
import { conditionsOf, invalid } from './run-jobs.ts';
import type { Page, Run } from './run-jobs.ts';
import {
  type RunScope,
  countInStates,
  countMatching,
  editedAmong,
  leaves,
  matching,
  timeAfterAll,
} from './run-reads.ts';
import { undoJobs } from './undo.ts';
import { inStep, type CommandStep, type WritableSchemas } from './writable-schemas.ts';

/** Jobs with given ids per transaction: a run that is stopped ends with the one under way. */
const jobsPerChunk = 1_000;

/** The position of a run that has nothing left to do. */
const ended = 'ended';

/** A page without jobs. */
const noPage: Page = { after: beforeAll, last: beforeAll };

/** A run in JSON, for the instance that works on it. */
interface RunSpec extends Pick<Run, 'until'> {
  /** The {@link Authorised} of the request that began it: its values may be dates, which JSON does not have. */
  readonly sender: string;
  readonly body: Pick<StartBulkBody, 'ids' | 'expectedState' | 'ifUnchanged' | 'filter'>;
  /** Instead, the rest of a command on a whole queue. */
  readonly rest?: RestOfCommand;
}

const actionOf = (action: PreparedRun['action']): JobAction =>
  action === 'remove' || action === 'promote' ? 'delete' : action;

/** The work of runs. */
export class BulkCommands implements BulkEngine {
  readonly #installation: Installation;
  readonly #schemas: WritableSchemas;
  readonly #queues: VisibleQueues;
  readonly #scope: RunScope;
  readonly #values: ShownValues;
  readonly translateError: typeof translateError = translateError;
  readonly #store: RunStore;

  constructor(
    installation: Installation,
    schemas: WritableSchemas,
    queues: VisibleQueues,
    values: ShownValues,
    store: RunStore,
  ) {
    this.#store = store;
    this.#installation = installation;
    this.#schemas = schemas;
    this.#queues = queues;
    this.#scope = { installation, queues, values };
    this.#values = values;
  }

  stores(): readonly RunStore[] {
    return [this.#store];
  }

  storeOf(): RunStore {
    return this.#store;
  }

  readonly mayContinue: BulkEngine['mayContinue'] = (queueName) =>
    this.#schemas.mayWrite(queueName);

  readonly sees: BulkEngine['sees'] = (request, queueName) =>
    this.#queues.allows(request, queueName);

  readonly prepare: BulkEngine['prepare'] = async (request, given) => {
    const { queueName, action, dryRun, rate } = given;
    if (action === 'promote') {
      throw new BoardError('BULK_ACTION_NOT_SUPPORTED', { options: { action } });
    }
    const { expectedState, ifUnchanged } = given;
    // A job has one id, however a client writes it.
    const ids = given.ids?.map((id) => id.toLowerCase());
    if (ids?.some((id) => !z.guid().safeParse(id).success)) throw invalid('ids');
    for (const { expectedState: state } of seenById({ ...given, ids }).values()) {
      const isState = state === undefined || PgqJobState.safeParse(state).success;
      if (!isState) throw invalid('expectedState');
    }
    const filter = ids ? undefined : fixedFilter('pgq', given.filter ?? {});
    const asked = filter && conditionsOf(this.#values, filter);
    // Tells errors of the queue, the permission to write and the filter before the run begins.
    const method = methods[actionOf(action)];
    await this.#schemas.openSteps(request, queueName, [method], async () => undefined);
    const sender = await this.#queues.authorise(request);
    const until = await timeAfterAll(this.#installation);
    if (asked) {
      const run = { sender, queueName, action: actionOf(action), until };
      await this.#installation.open(async (opened) => {
        const schema = await this.#queues.require(opened, sender, queueName);
        await schema.read((session) => matching(schema, session, run, asked, { page: noPage }));
      });
    }
    const spec: RunSpec = {
      sender: serialize(sender).toString('base64'),
      until,
      body: { ids, expectedState, ifUnchanged, filter },
    };
    return { queueName, action, dryRun, rate, keeps: isUndoable(action), spec };
  };

  readonly prepareUndo: BulkEngine['prepareUndo'] = async (request, { id, queueName, action }) => {
    await this.#schemas.openSteps(request, queueName, [], async () => undefined);
    const sender = serialize(await this.#queues.authorise(request)).toString('base64');
    const spec: RunSpec = { sender, until: '', body: {} };
    return { queueName, action, dryRun: false, undoes: id, spec };
  };

  /** The run of the rest of a command on a whole queue. */
  async prepareRest(
    request: HookRequest,
    queueName: string,
    rest: RestOfCommand,
  ): Promise<PreparedRun> {
    const sender = serialize(await this.#queues.authorise(request)).toString('base64');
    const until = rest.until ?? (await timeAfterAll(this.#installation));
    const spec: RunSpec = { sender, until, body: { filter: {} }, rest };
    return { queueName, action: rest.action, dryRun: false, spec };
  }

  readonly work: BulkEngine['work'] = async (
    { queueName, action, dryRun, undoes, spec },
    control,
  ) => {
    const { sender, until, body, rest } = spec as RunSpec;
    const run: Run = {
      sender: deserialize(Buffer.from(sender, 'base64')) as Authorised,
      queueName,
      action: actionOf(action),
      until,
    };
    if (undoes) {
      await this.#schemas.openSteps(run.sender, queueName, [], (transaction) =>
        undoJobs(transaction, queueName, undoes, control),
      );
      return;
    }
    const { filter } = body;
    if (rest && control.position === undefined) {
      const { done } = rest;
      await control.report({ examined: done, matched: done, changed: done }, beforeAll);
    }
    // Without a condition, the jobs need not be read.
    const isWhole = filter && Object.keys(filter).length === 0 && control.most === Infinity;
    if (isWhole && run.action === 'delete' && !dryRun) {
      return this.#purge(run, rest ?? { done: 0 }, control);
    }
    if (!filter) {
      const seen = seenById(body);
      await (dryRun ? this.#countIds(run, seen, control) : this.#overIds(run, seen, control));
      return;
    }
    // A part that this instance hides stays hidden to a run that another one began.
    const asked = conditionsOf(this.#values, filter);
    await (dryRun
      ? countMatching(this.#scope, run, asked, control)
      : this.#overFilter(run, asked, control));
  };

  /** Reads the states without a lock. */
  async #countIds(
    { sender, queueName, action }: Run,
    seen: Seen,
    { signal, expect, report, position }: BulkControl,
  ): Promise<void> {
    const ids = [...seen.keys()];
    await expect(ids.length);
    for (let at = Number(position ?? 0); at < ids.length && !signal.aborted; at += jobsPerChunk) {
      const chunk = ids.slice(at, at + jobsPerChunk);
      const counts = await this.#installation.open(async (opened) => {
        const schema = await this.#queues.require(opened, sender, queueName);
        const states = await jobStatesById(schema, queueName, chunk);
        const found = [...states].map(([id, state]) => ({ id, state }));
        const edited = await editedAmong(this.#values, schema, queueName, found, seen);
        return sortOut(action, chunk, found, seen, edited).counts;
      });
      await report({ ...counts, changed: 0 }, String(at + jobsPerChunk));
    }
  }

  async #overIds(
    run: Run,
    seen: Seen,
    { signal, keeps, most, expect, report, position, next }: BulkControl,
  ): Promise<void> {
    const { sender, queueName, action } = run;
    const size = Math.min(jobsPerChunk, most);
    const ids = [...seen.keys()];
    await expect(ids.length);
    let at = Number(position ?? 0);
    await this.#schemas.openSteps(sender, queueName, [methods[action]], async (transaction) => {
      for (; at < ids.length && !signal.aborted; at += size) {
        const chunk = ids.slice(at, at + size);
        await transaction(async (step) => {
          await report({}, undefined, inStep(step));
          const locked = await lockJobs(step, queueName, chunk);
          const edited = await editedAmong(this.#values, step.schema, queueName, locked, seen);
          const { jobs, counts } = sortOut(action, chunk, locked, seen, edited);
          const { changed, refused } = await changeLocked(step, run, jobs, keeps);
          const done = { ...counts, changed, refused: { ...refused, ...counts.refused } };
          await report(done, String(at + size), inStep(step));
        });
        await next();
      }
    });
  }

  async #overFilter(run: Run, asked: SearchRequest, control: BulkControl): Promise<void> {
    const { signal, most, expect, position } = control;
    const total = await countInStates(this.#scope, run, allowedStates[run.action]);
    await expect(total);
    let place = position === undefined ? await this.#begin(run, total, most) : placeOf(position);
    if (place.block !== undefined) place = await this.#sweep(run, asked, place.block, control);
    const isFirst = place.isSwept && place.after === beforeAll;
    if (signal.aborted || (isFirst && !(await leaves(this.#scope, run, asked)))) return;
    await this.#walk(run, asked, place, control);
  }

  /** A deletion sweeps the table, unless it has a rate, or fewer jobs of the queue than blocks. */
  async #begin({ action }: Run, total: number | null, most: number): Promise<Place> {
    const walks: Place = { after: beforeAll, isSwept: false };
    if (action !== 'delete' || most < Infinity || (total !== null && total < jobsPerChunk))
      return walks;
    const blocks = await this.#installation.open((schema) =>
      schema.read((session) => tableBlocks(schema, session)),
    );
    return total !== null && total < blocks ? walks : { ...walks, block: 0 };
  }

  /** Deletes the jobs that the filter accepts block by block, without those that are locked or for which others may wait. */
  async #sweep(
    run: Run,
    asked: SearchRequest,
    from: number,
    { signal, report }: BulkControl,
  ): Promise<Place> {
    const { sender, queueName, action } = run;
    const size = new StepSize(largestStep);
    let place: Place = { block: from, after: beforeAll, isSwept: false };
    await this.#schemas.openSteps(sender, queueName, [methods[action]], async (transaction) => {
      const part = (block: number, count: number) =>
        transaction(async (step): Promise<Place> => {
          await report({}, undefined, inStep(step));
          const conditions = await step.schema.read((session) =>
            statementOf(session, (asking) =>
              matching(step.schema, asking, run, asked, { alone: true }),
            ),
          );
          const states = allowedStates[action];
          const swept = await sweepFiltered(
            step,
            queueName,
            states,
            conditions,
            block,
            blocksOf(count),
          );
          if (!swept) return { after: beforeAll, isSwept: false };
          const { gone, examined, next } = swept;
          const then =
            next === undefined ? sweptFirst : { block: next, after: beforeAll, isSwept: false };
          const done = { examined, matched: gone, changed: gone };
          await report(done, positionOf(then), inStep(step));
          return then;
        });
      while (place.block !== undefined && !signal.aborted) {
        const { block } = place;
        place = await size.run((count) => part(block, count));
      }
    });
    return place;
  }

  /** Changes the jobs that the filter accepts in the order of their ids. */
  async #walk(
    run: Run,
    asked: SearchRequest,
    { after: first, isSwept }: Place,
    { signal, keeps, most, report, next: turn }: BulkControl,
  ): Promise<void> {
    const { sender, queueName, action } = run;
    let after = first;
    const states = allowedStates[action];
    // Half of a page: jobs that come into one of the states meanwhile do not push others off it.
    const size = new StepSize(Math.min(largestPart / 2, most));
    await this.#schemas.openSteps(sender, queueName, [methods[action]], async (transaction) => {
      const part = (count: number) =>
        transaction(async (step) => {
          // Locks the run before its jobs: no other instance takes it over, and passes by these, before this ends.
          await report({}, undefined, inStep(step));
          const next = await nextIds(step, queueName, states, after, count);
          const { last } = next;
          if (last !== undefined) {
            const page = { after, last };
            const counts = await this.#changeMatching(step, run, asked, page, next.blocking, keeps);
            const examined = isSwept ? 0 : next.examined;
            const position = positionOf({ after: last, isSwept });
            await report({ ...counts, examined }, position, inStep(step));
          }
          return { last, more: next.count === count };
        });
      for (let more = true; more && !signal.aborted;) {
        const done = await size.run(part);
        ({ more, last: after = after } = done);
        await turn();
      }
    });
  }

  /** Changes those of the jobs that the filter accepts. */
  async #changeMatching(
    step: CommandStep,
    run: Run,
    asked: SearchRequest,
    page: Page,
    blocking: boolean,
    keeps: string | undefined,
  ) {
    const { queueName, action } = run;
    const listed = await step.schema.read((session) =>
      statementOf(session, (asking) => matching(step.schema, asking, run, asked, { page })),
    );
    // Those for which none waits by set, and the others as the library does.
    const gone = action === 'delete' ? await deleteListed(step, queueName, listed) : 0;
    if (action === 'delete' && !blocking) return { matched: gone, changed: gone };
    const jobs = await lockListed(step, queueName, listed);
    const { changed, refused } = await changeLocked(step, run, jobs, keeps);
    return { matched: gone + jobs.length, changed: gone + changed, refused };
  }

  /** Deletes all jobs in the states. */
  async #purge(
    run: Run,
    { states = allowedStates.delete, from, done }: Omit<RestOfCommand, 'action'>,
    { signal, expect, report, position }: BulkControl,
  ): Promise<void> {
    const { sender, queueName, until } = run;
    if (position === ended) return;
    const left = await countInStates(this.#scope, run, states);
    await expect(left === null ? null : left + done);
    await this.#schemas.openSteps(sender, queueName, ['deleteJob'], async (transaction) => {
      const { refused } = await purgeJobs(transaction, {
        queueName,
        states,
        until,
        from,
        goesOn: () => !signal.aborted,
        report: (outcome, step) => report(outcome, beforeAll, inStep(step)),
      });
      const counts = { examined: refused, matched: refused };
      await report({ ...counts, refused: { PGQ_JOB_HAS_DEPENDENTS: refused } }, ended);
    });
  }
}
