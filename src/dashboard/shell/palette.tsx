/** Find and do: queues of every board, actions of the screen, jobs by id, name, data or error. */

import { queryOptions, useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useId, useRef, useState } from 'react';

import { allBoards, toJob, toQueue, useBoard } from '../api/boards.ts';
import { t } from '../i18n/index.ts';
import { allActions } from '../keys/keys.ts';
import type { IconName } from '../kit/icon.tsx';
import { Keys } from '../kit/button.tsx';
import { Dialog } from '../kit/dialogs/dialog.tsx';
import { Icon } from '../kit/icon.tsx';
import { StateIcon } from '../kit/states.tsx';
import { useOverview } from '../overview/data.ts';
import { isInTrouble, sortRows } from '../overview/rows.ts';
import type { Board } from '../api/boards.ts';
import { failureOf } from '../api/errors.ts';
import { findJobs } from '../api/found-jobs.ts';
import type { FoundJob } from '../api/found-jobs.ts';
import { isCondition, readFilter } from '../queue/filter-language.ts';
import style from './palette.module.css';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const limit = 5;

/** An id is found directly, and conditions are searched for; otherwise names, and reasons of failures. */
async function jobsFor(board: Board, text: string, signal: AbortSignal): Promise<FoundJob[]> {
  const ask = (query: Readonly<Record<string, string>>) =>
    findJobs(board, undefined, { ...query, limit: String(limit) }, signal);
  const { search } = isCondition.test(text) ? readFilter(board.engine, { q: text }) : {};
  if (search) return ask(search.query);
  if (board.engine === 'pgq') {
    if (uuid.test(text)) return ask({ id: text });
    // Its answers have no reasons.
    return (await ask({ error: text })).map((job) => ({ ...job, reason: text }));
  }
  const jobs = (
    await Promise.all([ask({ id: text }), ask({ name: text }), ask({ error: text })])
  ).flat();
  const known = new Map(jobs.map((job) => [`${job.queue} ${job.id}`, job]));
  return [...known.values()].slice(0, 2 * limit);
}

const jobsQuery = (board: Board, text: string) =>
  queryOptions({
    queryKey: [board.basePath, 'find', text],
    enabled: text.length > 1,
    queryFn: ({ signal }) =>
      jobsFor(board, text, signal).catch((error: unknown) => {
        // A closed field or a forbidden search finds nothing.
        const { status } = failureOf(error);
        if (status >= 400 && status < 500) return [];
        throw error;
      }),
    staleTime: 10_000,
  });

interface Found {
  readonly id: string;
  readonly group: string;
  readonly text: string;
  readonly more?: string | undefined;
  readonly icon?: IconName;
  readonly state?: string;
  readonly keys?: string | undefined;
  readonly run: () => void;
}

/** Queues and actions shown at most. */
const most = 8;

/** How well a text fits: all words occur, better at a beginning. */
function fit(text: string, words: readonly string[]): number {
  const lower = text.toLowerCase();
  let score = 0;
  for (const word of words) {
    const at = lower.indexOf(word);
    if (at < 0) return -1;
    score += at === 0 ? 3 : /[\s:._/-]/.test(lower[at - 1] ?? '') ? 2 : 1;
  }
  return score;
}

function best<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
  words: readonly string[],
): Item[] {
  return items
    .map((item) => ({ item, score: fit(textOf(item), words) }))
    .filter(({ score }) => score >= 0)
    .toSorted((left, right) => right.score - left.score)
    .slice(0, most)
    .map(({ item }) => item);
}

export function Palette({ close }: { readonly close: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  /** Whether the first result is opened as soon as it is there. */
  const [entered, enter] = useState(false);
  const navigate = useNavigate();
  const board = useBoard();
  const { rows } = useOverview();
  const wanted = useDeferredValue(text.trim());
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  // The actions of the screen below, as they were when the palette opened.
  const [actions] = useState(() =>
    allActions().filter(({ run, quiet }) => run !== undefined && !quiet),
  );
  const found = useQueries({ queries: allBoards.map((each) => jobsQuery(each, wanted)) });
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);

  const go = (run: () => void) => () => {
    close();
    run();
  };
  const results: Found[] = [
    ...best(sortRows(rows, 'trouble', true), ({ title, name }) => `${title} ${name}`, words).map(
      (row) => ({
        id: `queue ${row.key}`,
        group: t('find.queues'),
        text: row.title,
        more: allBoards.length > 1 ? row.board.title : undefined,
        icon: isInTrouble(row) ? ('warn' as const) : ('menu' as const),
        run: () => void navigate(toQueue(row.board, row.name)),
      }),
    ),
    ...best(actions, ({ title }) => title, words).map((action) => ({
      id: `action ${action.id}`,
      group: t('find.actions'),
      text: action.title,
      icon: 'play' as const,
      keys: action.keys,
      run: () => action.run?.(),
    })),
    ...found.flatMap(({ data }) =>
      (data ?? []).map((job) => ({
        id: `job ${job.board.basePath} ${job.queue} ${job.id}`,
        group: t('find.jobs'),
        text: job.name === '' ? job.id : `${job.name} ${job.id}`,
        more: job.reason ? `${job.queue} · ${job.reason}` : job.queue,
        state: job.state,
        run: () => void navigate(toJob(job.board, job.queue, job.id)),
      })),
    ),
  ];
  const searching = found.some(({ isFetching }) => isFetching);
  const current = Math.min(at, results.length - 1);
  useEffect(() => setAt(0), [wanted]);
  // Until then, the results are those of a text before.
  const isCurrent = wanted === text.trim();
  const chosen = isCurrent ? results[current] : undefined;
  useEffect(() => {
    if (entered && chosen) go(chosen.run)();
  }, [entered, chosen === undefined]);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  let group = '';
  return (
    <Dialog title={t('find.title')} close={close} bare>
      <div className={style['head']}>
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={results[current] ? `${id}-${current}` : undefined}
          aria-autocomplete="list"
          aria-label={t('find.title')}
          placeholder={t('find.hint')}
          value={text}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => {
            setText(target.value);
            enter(false);
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step !== undefined && results.length > 0) {
              event.preventDefault();
              setAt((current + step + results.length) % results.length);
            } else if (event.key === 'Enter') {
              enter(true);
            }
          }}
        />
        {board.title && (
          <span className={style['scope']}>{searching ? t('find.searching') : ''}</span>
        )}
      </div>
      <ul
        id={id}
        ref={list}
        role="listbox"
        aria-label={t('find.results')}
        className={style['list']}
      >
        {results.map((result, index) => {
          const heading = result.group === group ? undefined : result.group;
          group = result.group;
          return (
            <li
              key={result.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === current}
              className={style['result']}
              onPointerMove={() => setAt(index)}
              onClick={go(result.run)}
            >
              <span className={heading ? style['heading'] : 'visually-hidden'}>{result.group}</span>
              <span className={style['row']}>
                {result.state === undefined ? (
                  <Icon name={result.icon ?? 'right'} size={14} />
                ) : (
                  <StateIcon state={result.state} />
                )}
                <span className={style['text']}>{result.text}</span>
                <span className={style['more']}>{result.more}</span>
                {result.keys && <Keys keys={result.keys} />}
              </span>
            </li>
          );
        })}
      </ul>
      {results.length === 0 && (
        <p className={style['none']}>{searching ? t('find.searching') : t('find.none')}</p>
      )}
    </Dialog>
  );
}
