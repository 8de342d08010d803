/** The errors of all failed jobs that are stored: how often, since when, where, and what to do about them. */

import { Link } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';

import { useAllowed } from '../actions/perform.ts';
import { toJob, toQueue } from '../api/boards.ts';
import { exact } from '../format/number.ts';
import { addTexts, t } from '../i18n/index.ts';
import texts from '../i18n/messages/en/inbox.json';
import type { Many } from '../job/ask-many.tsx';
import { Button } from '../kit/button.tsx';
import { copyText } from '../kit/copy.ts';
import { Filter, Pick, useWanted } from '../kit/filter.tsx';
import { Menu } from '../kit/menu.tsx';
import type { MenuItem } from '../kit/menu.tsx';
import { BoardFailures, Empty, Note, Skeleton } from '../kit/panel.tsx';
import { part } from '../kit/patient.ts';
import { Spark } from '../kit/spark.tsx';
import { columnsOf, Table } from '../kit/table.tsx';
import { Count, When } from '../kit/text.tsx';
import { useTitle } from '../kit/title.ts';
import { filterOf } from '../queue/queue-commands.ts';
import { useChangeView, useView } from '../view.ts';
import { curveOf, latestRelease, useErrors } from './data.ts';
import type { BoardErrors, StoredError } from './data.ts';
import { isMuted, setMuted, useMuted } from './muted.ts';
import style from './inbox.module.css';

const Sheet = part(() => import('../queue/sheet.tsx'), 'Sheet');

addTexts(texts);

/** Queues of an error that are named, and of which the menu has commands. */
const [namedQueues, commandQueues] = [3, 5];

const shows = ['open', 'new', 'muted'] as const;
type Show = (typeof shows)[number];

interface Shown {
  readonly error: StoredError;
  readonly of: BoardErrors;
}

/** A command on the jobs of an error in a queue. */
interface Asked {
  readonly error: StoredError;
  readonly queueName: string;
  readonly verb: 'retry' | 'remove';
}

export function Screen() {
  const { boards, loading, reading, failures, again } = useErrors();
  const { show: wantedShow, q } = useView();
  const changeView = useChangeView();
  const muted = useMuted();
  const text = useWanted();
  const [asked, ask] = useState<Asked>();
  useTitle(t('inbox.title'));
  const all = useMemo(
    () =>
      boards
        .flatMap((of): Shown[] => of.errors.map((error) => ({ error, of })))
        .toSorted((one, other) => other.error.lastAt - one.error.lastAt),
    [boards],
  );
  const latest = latestRelease(all.map(({ error }) => error));
  const isNew = ({ firstAt }: StoredError) => latest !== undefined && firstAt >= latest.firstAt;
  const show = shows.find((each) => each === wantedShow) ?? 'open';
  const fits = (each: Show, { error }: Shown): boolean =>
    isMuted(muted, error) === (each === 'muted') && (each !== 'new' || isNew(error));
  const labelOf = (each: Show): string => {
    const count = all.filter((shown) => fits(each, shown)).length;
    return `${t(`inbox.show.${each}`, { release: latest?.release ?? '' })} ${exact(count)}`;
  };
  const matching = all.filter(
    (each) =>
      fits(show, each) &&
      (text === '' ||
        [
          each.error.fingerprint,
          each.error.error,
          each.error.example?.message ?? '',
          ...each.error.queues.keys(),
          ...each.error.names,
        ].some((part) => part.toLowerCase().includes(text))),
  );
  const done = !loading && boards.every((each) => each.done);
  const examined = boards.reduce((count, each) => count + each.examined, 0);
  const problems = boards.flatMap((each) => each.problems);
  return (
    <main className="screen">
      <div className="bar">
        <h1>
          {t('inbox.title')} {all.length > 0 && <small>{exact(all.length)}</small>}
        </h1>
        <Pick<string>
          label={t('inbox.show')}
          value={show}
          options={
            latest
              ? { open: labelOf('open'), new: labelOf('new'), muted: labelOf('muted') }
              : { open: labelOf('open'), muted: labelOf('muted') }
          }
          onChange={(value) => changeView({ show: value === 'open' ? undefined : value })}
        />
        <Filter label={t('inbox.filter')} />
        <Button look="quiet" icon="retry" pending={reading} onClick={again}>
          {t('inbox.again')}
        </Button>
      </div>
      <BoardFailures failures={failures} stale="inbox.stale" />
      {problems.length > 0 && (
        <Note tone="warn">{t('inbox.unread', { queues: problems.join(', ') })}</Note>
      )}
      <p className={style['read']} role="status">
        {t(done ? 'inbox.read' : 'inbox.reading', { count: exact(examined) })}
      </p>
      {matching.length > 0 ? (
        <Table
          caption={t('inbox.title')}
          className={`rows stacked ${style['table']}`}
          columns={columnsFor(ask)}
          rows={matching}
          keyOf={({ error }) => error.id}
        />
      ) : !done ? (
        failures.length === 0 && <Skeleton />
      ) : q === undefined && show === 'open' ? (
        <Empty icon="tick" title={t('inbox.none')} />
      ) : (
        <Empty icon="search" title={t('inbox.noMatch')}>
          <Button onClick={() => changeView({ q: undefined, show: undefined })}>
            {t('clearFilters')}
          </Button>
        </Empty>
      )}
      <Suspense>{asked && <Ask asked={asked} close={() => ask(undefined)} />}</Suspense>
    </main>
  );
}

/** The filter of a queue's list for the jobs of an error. */
const listOf = ({ board, search }: StoredError, queueName: string) =>
  toQueue(board, queueName, {
    state: 'failed',
    ...(search !== '' && { q: `error ~ ${JSON.stringify(search)}` }),
  });

function Ask({
  asked: { error, queueName, verb },
  close,
}: {
  readonly asked: Asked;
  readonly close: () => void;
}) {
  const { board, search, queues } = error;
  const filter = { ...filterOf(board, 'failed'), error: search };
  const many: Many = {
    verb,
    count: queues.get(queueName) ?? 0,
    states: ['failed'],
    queue: queueName,
    filter: `error ~ ${JSON.stringify(search)}`,
  };
  return (
    <Sheet
      board={board}
      queueName={queueName}
      many={many}
      filter={filter}
      close={close}
      run={(rate) =>
        void import('../queue/runs.ts').then(({ beginRun }) =>
          beginRun(board, queueName, verb, { filter }, { rate }),
        )
      }
    />
  );
}

function Actions({
  error,
  ask,
}: {
  readonly error: StoredError;
  readonly ask: (asked: Asked) => void;
}) {
  const { board, fingerprint, queues, search } = error;
  const isQuiet = isMuted(useMuted(), error);
  const names = [...queues].filter(([, count]) => count > 0).slice(0, commandQueues);
  const allowed = useAllowed(board, names[0]?.[0] ?? '', undefined);
  const commands = (['retry', 'remove'] as const).flatMap((verb): MenuItem[] =>
    // Without a part that all of its messages have, a command would take other jobs.
    search === '' || !allowed(`jobs.${verb}`)
      ? []
      : names.map(([queueName, count]) => ({
          id: `${verb} ${queueName}`,
          label: t(`inbox.${verb}`, { queue: queueName, count: exact(count) }),
          icon: verb === 'retry' ? 'retry' : 'trash',
          danger: verb === 'remove',
          run: () => ask({ error, queueName, verb }),
        })),
  );
  const address = `${location.origin}${location.pathname}?q=${fingerprint}`;
  return (
    <Menu
      label={t('inbox.actions', { error: error.error })}
      items={[
        ...commands,
        {
          id: 'mute',
          label: t(isQuiet ? 'inbox.unmute' : 'inbox.mute'),
          icon: 'bars',
          run: () => setMuted(error, !isQuiet),
        },
        {
          id: 'link',
          label: t('inbox.link'),
          icon: 'link',
          run: () => void copyText(address, error.error),
        },
      ]}
    />
  );
}

const columnsFor = (ask: (asked: Asked) => void) =>
  columnsOf<Shown>([
    {
      title: 'inbox.count',
      className: style['count'],
      end: true,
      cell: ({ error }) => <Count value={error.count || (error.recorded?.count ?? 0)} />,
    },
    {
      title: 'inbox.error',
      names: true,
      cell: ({ error }) => {
        const { example, error: name, board, names, releases, count } = error;
        const shown = name === '' ? t('inbox.unnamed') : name;
        return (
          <>
            {example ? (
              <Link
                {...toJob(board, example.queueName, example.id)}
                data-row-link
                dir="auto"
                title={example.message}
              >
                {shown}
              </Link>
            ) : (
              <span dir="auto">{shown}</span>
            )}
            <small>
              {[
                ...(count === 0 ? [t('inbox.gone')] : []),
                ...names.slice(0, 3),
                ...releases.slice(0, 2).map(({ release }) => release),
              ].join(' · ')}
            </small>
          </>
        );
      },
    },
    {
      title: 'inbox.curve',
      className: style['curve'],
      leaves: 2,
      cell: ({ error, of }) => <Spark values={curveOf(error, of)} label={t('inbox.curve')} />,
    },
    {
      title: 'inbox.queues',
      className: style['queues'],
      cell: ({ error }) => (
        <>
          {[...error.queues.keys()].slice(0, namedQueues).map((name) => (
            <Link key={name} {...listOf(error, name)}>
              {name}
            </Link>
          ))}
          {error.queues.size > namedQueues && (
            <span>{t('inbox.more', { count: error.queues.size - namedQueues })}</span>
          )}
        </>
      ),
    },
    {
      title: 'inbox.first',
      className: style['first'],
      leaves: 1,
      cell: ({ error }) => <When time={error.firstAt} />,
    },
    {
      title: 'inbox.last',
      className: style['last'],
      cell: ({ error }) => <When time={error.lastAt} />,
    },
    {
      title: 'inbox.menu',
      untitled: true,
      plain: true,
      className: style['menu'],
      cell: ({ error }) => <Actions error={error} ask={ask} />,
    },
  ]);
