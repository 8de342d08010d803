/** The log of a job; it follows while the job runs and its end is in sight. */

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import type { JobPlace } from '../api/boards.ts';
import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { copyText } from '../kit/copy.ts';
import { Empty, Failed, Note, Skeleton } from '../kit/panel.tsx';
import { live } from '../live/loop.ts';
import { piecesOf, plainOf } from './ansi.ts';
import style from './job.module.css';

/** Pixels from the end that still count as the end. */
const nearEnd = 40;

export function Logs({ board, queueName, jobId, follow }: JobPlace & { readonly follow: boolean }) {
  const at = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  const [search, setSearch] = useState('');
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [board.basePath, 'logs', queueName, jobId],
    queryFn: async ({ signal }) => {
      const answer = await board.client.call('GET /api/queues/{queueName}/{jobId}/logs', {
        params: { queueName, jobId },
        query: { window: 'true' },
        signal,
      });
      return Array.isArray(answer)
        ? { lines: answer, total: answer.length, truncated: false }
        : answer;
    },
    meta: live,
  });
  useEffect(() => {
    if (follow && atEnd.current) at.current?.scrollTo({ top: at.current.scrollHeight });
  }, [data, follow]);
  if (isPending) return <Skeleton rows={6} />;
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  if (!data || data.lines.length === 0)
    return <Empty title={t('logs.none')}>{follow && t('logs.wait')}</Empty>;
  const first = data.total - data.lines.length + 1;
  const wanted = search.trim().toLowerCase();
  return (
    <div className={style['view']}>
      <div className={style['view-bar']}>
        <input
          type="search"
          value={search}
          placeholder={t('logs.search')}
          aria-label={t('logs.search')}
          onChange={({ target }) => setSearch(target.value)}
        />
        <span>{t('logs.count', { count: exact(data.total) })}</span>
        <Button
          look="quiet"
          icon="copy"
          onClick={() => void copyText(data.lines.map(plainOf).join('\n'), t('job.tab.logs'))}
        >
          {t('copy')}
        </Button>
      </div>
      {data.truncated && <Note>{t('logs.truncated', { first: exact(first) })}</Note>}
      <pre
        ref={at}
        className={style['json']}
        tabIndex={0}
        aria-label={t('job.tab.logs')}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          atEnd.current = scrollHeight - scrollTop - clientHeight < nearEnd;
        }}
      >
        {data.lines.map((line, index) =>
          wanted !== '' && !plainOf(line).toLowerCase().includes(wanted) ? null : (
            <span key={index} className={style['log']}>
              <i aria-hidden="true">{first + index}</i>
              {piecesOf(line).map(({ text, colour, bold }, at) => (
                <span key={at} data-colour={colour} data-bold={bold || undefined}>
                  {text}
                </span>
              ))}
              {'\n'}
            </span>
          ),
        )}
      </pre>
    </div>
  );
}
