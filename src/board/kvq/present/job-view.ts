/** Jobs as the sender of a request may see them: no name of a queue that is hidden from them or not on the board. */

import type { TraceUrl } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { memberOf } from '../libraries/record.ts';
import type { JobRecord } from '../model/job-record.ts';
import { childMark } from '../model/examined.ts';
import type { StoredTexts } from '../model/store.ts';
import type { ProblemLog } from '../queue/problem-log.ts';

/** The view of one request. */
export interface JobView {
  /** Whether the sender sees the queue of a job key (`<qualified queue>:<id>`) of this queue's datastore. */
  sees(near: BoardQueue, key: string): boolean;
  /** Receives the failures of formatters. */
  readonly problems: ProblemLog;
  /** Tells the address of the trace of a job. */
  readonly traceUrl?: TraceUrl | undefined;
}

/** The first line of a parent's reason: the libraries write the key of the child into it. */
const reasonOfChild = /^((?:\w{1,100}: )?child) (.*) failed$/gm;

/** Whether a reason may be one that is shown otherwise. */
export const mayNameChild = (reason: string): boolean => reason.includes(childMark);

/** A reason or a stack trace without the keys of hidden children. */
export function shownReason(view: Pick<JobView, 'sees'>, queue: BoardQueue, text: string): string {
  return text.replaceAll(reasonOfChild, (whole, start: string, key: string) =>
    !key.includes(':') || view.sees(queue, key) ? whole : `${start} failed`,
  );
}

/** The last line of a reason that was cut may be half the key of a hidden child. */
const halfKey = /\n?(?:\w{1,100}: )?child [^\n]*$/;

/** The same of a reason of which no more than so many bytes were read. */
export function shownBeginning(
  view: Pick<JobView, 'sees'>,
  queue: BoardQueue,
  text: string,
  bytes: number,
): string {
  const isCut = Buffer.byteLength(text) >= bytes - 3;
  return shownReason(view, queue, isCut ? text.replace(halfKey, '') : text);
}

/** The texts that the sender may see: not those of a part that a formatter replaces, or that names a hidden queue. */
export function shownTexts(
  view: JobView,
  queue: BoardQueue,
  { data, opts, progress, returnValue }: StoredTexts,
  options: JobRecord['opts'],
): StoredTexts {
  const { formatters } = queue;
  const showsOptions = shownOptions(view, queue, options) === options;
  return {
    ...(data !== undefined && !formatters.data && { data }),
    ...(opts !== undefined && showsOptions && { opts }),
    ...(progress !== undefined && !formatters.progress && { progress }),
    ...(returnValue !== undefined && !formatters.returnValue && { returnValue }),
  };
}

/** The options of a job without a hidden parent. */
export function shownOptions(
  view: Pick<JobView, 'sees'>,
  queue: BoardQueue,
  opts: JobRecord['opts'],
): JobRecord['opts'] {
  if (opts['parent'] === undefined) return opts;
  const { parent, ...others } = opts;
  const [name, id] = [memberOf(parent, 'queue'), memberOf(parent, 'id')];
  const isSeen = typeof name === 'string' && view.sees(queue, `${name}:${String(id)}`);
  return isSeen ? opts : others;
}
