/** The commands for a job: its buttons, its menu and its keys, from one list. */

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';

import { perform, useAllowed } from '../actions/perform.ts';
import { toJob, toQueue, useBoard } from '../api/boards.ts';
import { t } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';
import type { Action } from '../keys/keys.ts';
import { copyText } from '../kit/copy.ts';
import type { IconName } from '../kit/icon.tsx';
import type { MenuItem } from '../kit/menu.tsx';
import { useOutcome } from '../kit/outcome.ts';
import { useQueueInfo } from '../queue/info.ts';
import { asksFirst } from '../queue/queue-commands.ts';
import { useView } from '../view.ts';
import type { JobDetail } from './detail.ts';
import { actionOf, doVerb, noRights, verbKeys, verbsOf } from './verbs.ts';
import type { Verb } from './verbs.ts';
import type { Board } from '../api/boards.ts';
import { pathStep } from '../api/path-name.ts';
import { layOut } from '../format/json.ts';
import { readFilter } from '../queue/filter-language.ts';
import { jobPage, pageSizeOf } from '../queue/jobs.ts';

/** The jobs before and after in the list that the person came from. */
function useNeighbours(job: JobDetail): {
  previous: string | undefined;
  next: string | undefined;
} {
  const board = useBoard();
  const view = useView();
  const read = readFilter(board.engine, view);
  const { data } = useQuery({
    ...jobPage(board, job.queueName, {
      state: view.state ?? 'latest',
      cursor: view.cursor,
      size: pageSizeOf(view),
      order: view.order === 'asc' ? 'asc' : 'desc',
      search: read.search,
    }),
    enabled: read.error === undefined,
    // The list stays as it was while its jobs are looked through.
    staleTime: Number.POSITIVE_INFINITY,
    meta: {},
  });
  const at = data?.jobs.findIndex(({ id }) => id === job.id) ?? -1;
  return {
    previous: at > 0 ? data?.jobs[at - 1]?.id : undefined,
    next: at >= 0 ? data?.jobs[at + 1]?.id : undefined,
  };
}

const indented = (text: string): string => layOut(text).replaceAll('\n', '\n  ');

/** `queue.add(...)` or `boss.send(...)`. */
function asAdd({ engine }: Board, { name, queueName, data = '{}', options }: JobDetail): string {
  if (engine === 'pgq') return `await boss.send(${JSON.stringify(queueName)}, ${layOut(data)});`;
  const rest = options === undefined || options === '{}' ? '' : `,\n  ${indented(options)}`;
  return `await queue.add(\n  ${JSON.stringify(name)},\n  ${indented(data)}${rest},\n);`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A request that adds the same job. */
function asCurl({ basePath, engine }: Board, { name, queueName, data = '{}' }: JobDetail): string {
  const queue = pathStep(queueName);
  const path = engine === 'pgq' ? `/api/pgq/queues/${queue}/jobs` : `/api/queues/${queue}/add`;
  const body =
    engine === 'pgq' ? `{"data":${data}}` : `{"name":${JSON.stringify(name)},"data":${data}}`;
  return [
    `curl -X POST ${quoted(`${location.origin}${basePath}${path}`)}`,
    `-H 'content-type: application/json'`,
    `-d ${quoted(body)}`,
  ].join(' \\\n  ');
}

/** The way back from a job to the list that it was opened from. */
export function useBack(queueName: string): Action {
  const board = useBoard();
  const navigate = useNavigate();
  const view = useView();
  return {
    id: 'back',
    title: t('job.back', { queue: queueName }),
    keys: 'Escape, u',
    group: 'go',
    run: () => void navigate(toQueue(board, queueName, { ...view, tab: undefined })),
  };
}

/** A dialog that a command opens. */
export type Asked =
  | 'remove'
  | 'retry'
  | 'edit'
  | 'edit-retry'
  | 'duplicate'
  | 'compare'
  | 'delay'
  | 'priority'
  | undefined;

/** @param missing whether the job has been removed meanwhile */
export function useJobCommands(job: JobDetail, missing: boolean) {
  const board = useBoard();
  const view = useView();
  const navigate = useNavigate();
  const { queueName, id, state } = job;
  const { info } = useQueueInfo(board, queueName);
  const allowed = useAllowed(board, queueName, info?.allowed);
  const [asked, ask] = useState<Asked>();
  const [pending, setPending] = useState<Verb>();
  const { previous, next } = useNeighbours(job);

  const rights = info?.rights ?? noRights;
  const verbs = missing
    ? []
    : verbsOf(board.engine, state, rights, job.orphaned).filter((verb) => allowed(actionOf(verb)));
  const capabilities = info?.kvq?.capabilities;
  const canChange = !missing && rights.writable && allowed('job.edit');
  const canEdit = canChange && capabilities?.updateData === true && job.data !== undefined;
  const canAdd = rights.writable && allowed('job.add');
  const canDelay = canChange && state === 'delayed' && capabilities?.changeDelay === true;
  const canPrioritise =
    canChange &&
    ['waiting', 'prioritized', 'delayed'].includes(state) &&
    capabilities?.changePriority === true;

  const back = useBack(queueName);
  const { finish } = useOutcome(() => back.run?.());
  const run = async (verb: Verb) => {
    // A key that is pressed again does it once.
    if (pending) return;
    setPending(verb);
    const done = await perform({
      board,
      action: actionOf(verb),
      queue: queueName,
      run: () => doVerb(board, queueName, { id, state }, verb),
      done: () => ({
        text: t('job.done', { id, did: t(`bulk.did.${verb}`) }),
        // Cancelling has an inverse.
        undo:
          verb === 'cancel'
            ? () =>
                void perform({
                  board,
                  action: 'job.resume',
                  queue: queueName,
                  run: () => doVerb(board, queueName, { id, state: 'cancelled' }, 'resume'),
                  done: () => t('job.done', { id, did: t('bulk.did.resume') }),
                })
            : undefined,
      }),
    });
    setPending(undefined);
    if (done && verb === 'remove') finish();
  };
  const begin = (verb: Verb) => {
    if ((verb === 'remove' || verb === 'retry') && asksFirst(verb, 1, [state])) ask(verb);
    else void run(verb);
  };
  const open = (jobId: string | undefined) =>
    jobId === undefined
      ? undefined
      : () => void navigate({ ...toJob(board, queueName, jobId, view), replace: true });
  const items: MenuItem[] = [];
  const offer = (can: boolean, id: string, label: string, icon: IconName, dialog: Asked) => {
    if (can) items.push({ id, label, icon, run: () => ask(dialog) });
  };
  const retries = verbs.includes('retry') && canEdit;
  offer(retries, 'retry-changed', t('job.retryChanged'), 'retry', 'edit-retry');
  offer(canDelay, 'delay', t('job.changeDelay'), 'clock', 'delay');
  offer(canPrioritise, 'priority', t('job.changePriority'), 'chevrons', 'priority');
  offer(true, 'compare', t('compare.choose'), 'link', 'compare');
  offer(canAdd, 'duplicate', t('job.duplicate'), 'plus', 'duplicate');
  items.push(
    {
      id: 'copy-id',
      label: t('keys.copyId'),
      icon: 'copy',
      keys: 'y',
      run: () => void copyText(id, id),
    },
    {
      id: 'copy-link',
      label: t('queue.copyLink'),
      icon: 'link',
      keys: 'shift+y',
      run: () => void copyText(location.href, t('job.link')),
    },
    {
      id: 'copy-code',
      label: t(board.engine === 'kvq' ? 'job.copyAdd' : 'job.copySend'),
      icon: 'copy',
      keys: 'c',
      run: () => void copyText(asAdd(board, job), t('job.code')),
    },
    {
      id: 'copy-curl',
      label: t('job.copyCurl'),
      icon: 'copy',
      run: () => void copyText(asCurl(board, job), 'curl'),
    },
  );
  const actions: Action[] = [
    back,
    { id: 'job-previous', title: t('job.previous'), keys: '[', group: 'job', run: open(previous) },
    { id: 'job-next', title: t('job.next'), keys: ']', group: 'job', run: open(next) },
    ...verbs.map((verb) => ({
      id: `job-${verb}`,
      title: t(`verb.${verb}`),
      ...(verbKeys[verb] && { keys: verbKeys[verb] }),
      group: 'job' as const,
      run: () => begin(verb),
    })),
    // The link of a screen is an action of the page.
    ...items
      .filter(({ id }) => id !== 'copy-link')
      .map(({ id, label, keys, run }) => ({
        id: `job-${id}`,
        title: label,
        ...(keys && { keys }),
        group: 'job' as const,
        run,
      })),
  ];
  if (canEdit)
    actions.push({
      id: 'job-edit',
      title: t('job.edit'),
      keys: 'e',
      group: 'job',
      run: () => ask('edit'),
    });
  useActions(actions);
  return { info, verbs, items, canEdit, asked, ask, begin, run, pending, previous, next, open };
}
