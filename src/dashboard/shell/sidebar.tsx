/** The queues at the side of every screen of a wide window: those in trouble first, then all others in their groups. */

import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useDeferredValue, useMemo, useRef, useState } from 'react';

import { allBoards, toQueue } from '../api/boards.ts';
import { short } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { Icon } from '../kit/icon.tsx';
import { useSteadyRows } from '../live/steady-rows.ts';
import { useQueues } from '../overview/data.ts';
import { groupRows, isFailing, isInTrouble, lineOf, sortRows } from '../overview/rows.ts';
import type { Line, QueueRow } from '../overview/rows.ts';
import style from './sidebar.module.css';

/** Pixels of a line, as the style sheet has them. */
const height = 30;
/** Lines around those in sight. */
const around = 8;

const keyOf = ({ key }: Line): string => key;

/** @param rows by name */
function linesOf(rows: readonly QueueRow[], closed: ReadonlySet<string>): readonly Line[] {
  const troubled = sortRows(rows.filter(isInTrouble), 'trouble', true);
  return [
    ...troubled.map((row) => lineOf(row)),
    ...groupRows(
      rows.filter((row) => !isInTrouble(row)),
      closed,
    ),
  ];
}

/** Those that occur more than once. */
function repeated(all: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(all.filter((each) => seen.size === seen.add(each).size));
}

export function Sidebar() {
  const { rows } = useQueues();
  const [text, setText] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const wanted = useDeferredValue(text.trim().toLowerCase());
  const current = useMemo(() => {
    const matching = rows.filter(({ title, name }) =>
      `${title}\n${name}`.toLowerCase().includes(wanted),
    );
    return linesOf(matching, closed);
  }, [rows, wanted, closed]);
  const shared = useMemo(() => repeated(rows.map(({ title }) => title)), [rows]);
  // Under the pointer or the focus, no line takes the place of another.
  const steady = useSteadyRows(current, keyOf, isBusy, [wanted, ...closed].join('\n'));
  const at = useRef<HTMLUListElement>(null);
  const virtual = useVirtualizer({
    count: steady.rows.length,
    getScrollElement: () => at.current,
    estimateSize: () => height,
    overscan: around,
  });
  const items = virtual.getVirtualItems();
  const toggle = (key: string) =>
    setClosed(
      (before) =>
        new Set(before.has(key) ? [...before].filter((each) => each !== key) : [...before, key]),
    );
  return (
    <nav
      className={style['sidebar']}
      aria-label={t('overview.title')}
      onFocus={() => setBusy(true)}
      onBlur={({ currentTarget, relatedTarget }) =>
        setBusy(currentTarget.contains(relatedTarget) || currentTarget.matches(':hover'))
      }
      onPointerEnter={() => setBusy(true)}
      onPointerLeave={({ currentTarget }) =>
        setBusy(currentTarget.contains(document.activeElement))
      }
    >
      <input
        type="search"
        value={text}
        aria-label={t('overview.filter')}
        placeholder={t('overview.filter')}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          setText('');
        }}
      />
      <ul ref={at}>
        <li aria-hidden="true" style={{ height: items[0]?.start ?? 0 }} />
        {items.map(({ index }) => {
          const line = steady.rows[index];
          return (
            line && (
              <li
                key={line.key}
                aria-setsize={steady.rows.length}
                aria-posinset={index + 1}
                style={{ paddingInlineStart: 8 + line.depth * 14 }}
              >
                {line.row ? (
                  <Queue row={line.row} label={line.label} isShared={shared.has(line.row.title)} />
                ) : (
                  <button
                    type="button"
                    aria-expanded={!closed.has(line.key)}
                    onClick={() => toggle(line.key)}
                  >
                    <Icon name={closed.has(line.key) ? 'right' : 'down'} size={12} />
                    <bdi title={line.label}>{line.label}</bdi>
                    <small>{line.rows.length}</small>
                  </button>
                )}
              </li>
            )
          );
        })}
        <li
          aria-hidden="true"
          style={{ height: virtual.getTotalSize() - (items.at(-1)?.end ?? 0) }}
        />
      </ul>
    </nav>
  );
}

function Queue({
  row,
  label,
  isShared,
}: {
  readonly row: QueueRow;
  readonly label: string;
  /** Whether a queue of another board has the same name. */
  readonly isShared: boolean;
}) {
  const isTroubled = isInTrouble(row);
  const count = isFailing(row) ? row.failed : row.waiting;
  return (
    <Link
      {...toQueue(row.board, row.name)}
      activeOptions={{ includeSearch: false }}
      data-tone={isFailing(row) || row.problem !== undefined ? 'danger' : undefined}
    >
      {isTroubled && <Icon name="warn" size={12} label={t('sidebar.trouble')} />}
      <bdi title={allBoards.length > 1 ? `${row.title} · ${row.board.title}` : row.title}>
        {label}
        {isShared && <small> {row.board.title}</small>}
      </bdi>
      {count !== null && count > 0 && <small>{short(count)}</small>}
    </Link>
  );
}
