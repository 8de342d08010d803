/** The columns of the jobs of a page, which depend on their state, or are those that a person has chosen. */

import texts from '../i18n/messages/en/queue.json';
import { addTexts, t } from '../i18n/index.ts';
import type { MessageKey } from '../i18n/index.ts';
import { StateMark } from '../kit/states.tsx';
import type { Column } from '../kit/table.tsx';
import { Since, Took, Unknown, When } from '../kit/text.tsx';
import { attemptOf } from '../queue/jobs.ts';
import type { HeldJobs } from '../course/held-by.ts';
import type { JobRow } from '../queue/jobs.ts';
import style from '../queue/queue.module.css';
import { fieldText, fieldsOf, isJobColumn, jobColumns, readColumns } from './columns.ts';
import type { ChosenColumn, JobColumn } from './columns.ts';

addTexts(texts);

/** Characters of a chosen column without a width of its own. */
export const usualWidth = 20;

/** Characters of the columns that are always there. */
export const fixedWidth = 26;

/** States of jobs of which there is nothing to tell: they wait, or have done their work. */
const plain: ReadonlySet<string> = new Set(['waiting', 'prioritized', 'paused', 'completed']);

/** States that nothing holds back. */
const ending: ReadonlySet<string> = new Set(['active', 'completed', 'failed']);

/** The usual columns of the jobs in a state, in their order. */
function usualColumns(engine: 'kvq' | 'pgq', state: string, isHeld = false): readonly JobColumn[] {
  const isPgq = engine === 'pgq';
  const isActive = state === 'active';
  const took = isPgq
    ? state !== 'created' && !isActive
    : ['latest', 'completed', 'failed'].includes(state);
  const shown: Readonly<Record<JobColumn, boolean>> = {
    name: !isPgq,
    state: state === 'latest' || (isPgq && state === 'created'),
    data: true,
    key: isPgq,
    priority: isPgq,
    attempts: true,
    why: isHeld || (!plain.has(state) && !(isPgq && isActive)),
    worker: isActive && !isPgq,
    running: isActive,
    added: true,
    took,
  };
  return jobColumns.filter((column) => shown[column]);
}

const titleOf = (state: string): Readonly<Record<JobColumn, MessageKey>> => ({
  name: 'col.name',
  state: 'col.state',
  data: 'col.data',
  key: 'col.key',
  priority: 'col.priority',
  attempts: 'col.attempts',
  why: state === 'active' ? 'col.progress' : state === 'created' ? 'col.when' : 'col.why',
  worker: 'col.worker',
  running: 'col.running',
  added: 'col.added',
  took: 'col.took',
});

/** The columns of jobs. Where a window is narrow, what a job took and its data leave first. */
function columnsFor(
  state: string,
  countsEnded: boolean,
  held: HeldJobs,
): Record<JobColumn, Column<JobRow>> {
  const isActive = state === 'active';
  return {
    name: {
      className: style['c-name'],
      cell: ({ name }) => <span className={style['job-name']}>{name}</span>,
    },
    state: {
      className: style['c-state'],
      cell: (job) => <StateMark state={job.state} />,
    },
    data: {
      leaves: 2,
      cell: ({ data }) => data !== undefined && <span className={style['data']}>{data}</span>,
    },
    key: {
      className: style['c-key'],
      cell: ({ key }) => key !== undefined && <span className="mono">{key}</span>,
    },
    priority: {
      className: style['c-priority'],
      leaves: 4,
      end: true,
      cell: ({ priority }) => priority,
    },
    attempts: {
      className: style['c-attempts'],
      leaves: 4,
      end: true,
      cell: (job) => {
        const attempt = attemptOf(job, countsEnded);
        if (attempt === undefined) return <Unknown />;
        return job.attemptsLimit === undefined ? attempt : `${attempt}/${job.attemptsLimit}`;
      },
    },
    why: {
      className: style[isActive ? 'c-progress' : 'c-why'],
      cell: (job) => <Why job={job} held={held.of(job)} />,
    },
    worker: {
      className: style['c-worker'],
      leaves: 3,
      cell: ({ worker }) => (worker ? <span title={worker}>{worker}</span> : <Unknown />),
    },
    running: {
      className: style['c-running'],
      end: true,
      cell: ({ started }) => <Since time={started} />,
    },
    added: {
      className: style['c-added'],
      ...(isActive && { leaves: 3 }),
      end: true,
      sort: 'added',
      cell: ({ added }) => <When time={added} />,
    },
    took: {
      className: style['c-took'],
      leaves: 3,
      end: true,
      cell: ({ started, finished }) => <Took from={started} to={finished} />,
    },
  };
}

/** The columns to show: the usual ones, or those that the address names, which stay at every width. */
export function shownColumns(
  engine: 'kvq' | 'pgq',
  state: string,
  countsEnded: boolean,
  chosen: readonly ChosenColumn[] | undefined,
  held: HeldJobs,
): readonly Column<JobRow>[] {
  const known = columnsFor(state, countsEnded, held);
  const titles = titleOf(state);
  if (!chosen) {
    const isHeld = held.any && !ending.has(state);
    return usualColumns(engine, state, isHeld).map((key) => ({
      ...known[key],
      title: titles[key],
    }));
  }
  const fields = fieldsOf(chosen);
  return chosen.map(({ key, width = usualWidth }) => {
    if (isJobColumn(key)) {
      const { leaves: _leaves, className: _className, ...column } = known[key];
      return { ...column, title: titles[key], width };
    }
    const place = fields.indexOf(key);
    return {
      head: <span className="mono">{key}</span>,
      width,
      cell: ({ columns }) => {
        const value = columns?.[place];
        return value == null ? null : <span title={fieldText(value)}>{fieldText(value)}</span>;
      },
    };
  });
}

/** Why a job has failed, how far it is, or when it runs. The error of an earlier attempt is not that of the job. */
function Why({
  job: { why, progress, progressText, state, runsAt },
  held,
}: {
  readonly job: JobRow;
  readonly held: string | undefined;
}) {
  if (state === 'active' && progress !== undefined) return <Progress value={progress} />;
  if (state === 'active' && progressText) return <code title={progressText}>{progressText}</code>;
  const [error] = why?.split('\n') ?? [];
  if (error && (state === 'completed' || state === 'active')) {
    return <span className={style['dim']}>{t('col.earlierError', { error })}</span>;
  }
  if (held !== undefined) return <span className={style['dim']}>{held}</span>;
  if (error) return <span className={style['why']}>{error}</span>;
  if (runsAt === undefined) return null;
  return (
    <span className={style['dim']}>
      {t('job.runs')} <When time={runsAt} />
    </span>
  );
}

function Progress({ value }: { readonly value: number }) {
  const share = Math.max(0, Math.min(100, value));
  return (
    <span className={style['progress']}>
      <progress max={100} value={share} aria-label={t('col.progress')} />
      {Math.round(share)} %
    </span>
  );
}

/** Fields besides the data that a column may show, to offer them. */
const commonFields = {
  kvq: ['result', 'groupId', 'deduplicationId', 'delay', 'opts.attempts', 'stalledCounter'],
  pgq: ['result', 'groupId', 'startAfter', 'completedOn', 'policy', 'expireInSeconds'],
} as const;

/** The columns that are shown, those to offer, and their titles, for the choice of columns. */
export const columnChoice = (
  engine: 'kvq' | 'pgq',
  state: string,
  text: string | undefined,
  fields: readonly string[],
) => {
  const chosen = readColumns(text);
  const titles = titleOf(state);
  return {
    columns: chosen ?? usualColumns(engine, state).map((key): ChosenColumn => ({ key })),
    isUsual: chosen === undefined,
    offers: [...jobColumns, ...fields, ...commonFields[engine]],
    titleOf: (key: string): string => (isJobColumn(key) ? t(titles[key]) : key),
  };
};
