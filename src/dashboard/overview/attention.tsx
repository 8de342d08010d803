/** Queues that need somebody now, each with the way to it. */

import { Link } from '@tanstack/react-router';

import { keyText } from '../api/error-text.ts';
import { exact, percent } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { Icon } from '../kit/icon.tsx';
import { hasBacklog, isFailing, lacksWorker, sortRows } from './rows.ts';
import type { QueueRow } from './rows.ts';
import style from './overview.module.css';

/** More are behind the sections of the table. */
const most = 6;

function reasonOf(row: QueueRow): { readonly text: string; readonly state?: string } | undefined {
  if (row.problem !== undefined) return { text: keyText(row.problem) };
  if (lacksWorker(row)) return { text: t('attention.noWorker', { count: row.waiting ?? 0 }) };
  if (isFailing(row)) {
    return {
      text: t('attention.failing', {
        count: row.failed ?? 0,
        share: percent(row.failedShare ?? 0),
      }),
      state: 'failed',
    };
  }
  if (hasBacklog(row)) {
    return {
      text: t('attention.backlog', {
        count: exact(row.waiting ?? 0),
        limit: exact(row.backlogLimit),
      }),
    };
  }
  if (row.paused && (row.waiting ?? 0) > 0) {
    return { text: t('attention.paused', { count: row.waiting ?? 0 }) };
  }
  return undefined;
}

export function Attention({ rows }: { readonly rows: readonly QueueRow[] }) {
  const found = sortRows(rows, 'trouble', true).flatMap((row) => {
    const reason = reasonOf(row);
    return reason ? [{ row, ...reason }] : [];
  });
  if (found.length === 0) return null;
  return (
    <section
      className={style['attention']}
      aria-label={t('attention.title', { count: found.length })}
    >
      <h2>
        <Icon name="warn" size={14} />
        {t('attention.title', { count: found.length })}
      </h2>
      <ul>
        {found.slice(0, most).map(({ row, text, state }) => (
          <li key={row.key}>
            <Link
              to="/queue/$queueName"
              params={{ queueName: row.name }}
              search={{ board: row.board.param, state }}
            >
              <strong>{row.title}</strong> <span>{text}</span>
            </Link>
          </li>
        ))}
        {found.length > most && (
          <li className={style['rest']}>{t('attention.more', { count: found.length - most })}</li>
        )}
      </ul>
    </section>
  );
}
