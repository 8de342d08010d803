/** The settings of a queue: its limits, which can be changed, and what its library says of it. */

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { perform, useAllowed } from '../actions/perform.ts';
import type { Command } from '../actions/perform.ts';
import type { QueuePlace } from '../api/boards.ts';
import { errorText } from '../api/error-text.ts';
import { duration } from '../format/time.ts';
import { exact } from '../format/number.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { TextField, rowClass } from '../kit/dialogs/form.tsx';
import { Note } from '../kit/panel.tsx';
import type { ShownQueue } from './info.ts';
import style from './queue.module.css';

export function Limits({ board, queueName, info }: ShownQueue) {
  const { kvq, pgq, readOnly, allowed } = info;
  const canWrite = useAllowed(board, queueName, allowed)('queue.configure') && !readOnly;
  const part: Part = { board, queueName, canWrite };
  return (
    <div className={style['settings']}>
      {kvq?.capabilities.globalConcurrency && (
        <Concurrency {...part} value={kvq.globalConcurrency} />
      )}
      {kvq?.supportsGlobalRateLimit && <RateLimit {...part} ttl={kvq.activeRateLimitTtl} />}
      {kvq && <Defaults board={board} queueName={queueName} />}
      {pgq && (
        <Facts
          title={t('settings.library')}
          facts={{
            policy: pgq.policy,
            retryLimit: exact(pgq.retryLimit),
            retryDelay: duration(pgq.retryDelay * 1_000),
            retryBackoff: t(pgq.retryBackoff ? 'yes' : 'no'),
            expireIn: duration(pgq.expireInSeconds * 1_000),
            retention: duration(pgq.retentionSeconds * 1_000),
            deleteAfter: duration(pgq.deleteAfterSeconds * 1_000),
            deadLetter: pgq.deadLetter ?? '–',
            warningQueueSize: pgq.warningQueueSize > 0 ? exact(pgq.warningQueueSize) : '–',
            partition: t(pgq.partition ? 'yes' : 'no'),
          }}
        />
      )}
    </div>
  );
}

function Facts({
  title,
  facts,
}: {
  readonly title: string;
  readonly facts: Readonly<Record<string, string>>;
}) {
  return (
    <section>
      <h2>{title}</h2>
      <dl className={style['facts']}>
        {Object.entries(facts).map(([name, value]) => (
          <div key={name}>
            <dt className="mono">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface Part extends QueuePlace {
  readonly canWrite: boolean;
}

/** Changes a setting of a queue. */
const configure = (
  { board, queueName }: QueuePlace,
  change: Pick<Command<unknown>, 'run' | 'done' | 'failed'>,
) => perform({ board, action: 'queue.configure', queue: queueName, ...change });

function Concurrency({ value, ...part }: Part & { readonly value: number | null }) {
  const { board, queueName, canWrite } = part;
  const [text, setText] = useState(value === null ? '' : String(value));
  const [problem, setProblem] = useState<string>();
  const set = (concurrency: number) =>
    configure(part, {
      run: () =>
        board.client.call('PUT /api/queues/{queueName}/concurrency', {
          params: { queueName },
          body: { concurrency },
        }),
      done: () => {
        setProblem(undefined);
        return {
          text: t('done.concurrency', { queue: queueName }),
          undo: () => {
            setText(value === null ? '' : String(value));
            void set(value ?? 0);
          },
        };
      },
      failed: (failure) => setProblem(errorText(failure)),
    });
  return (
    <section>
      <h2>{t('settings.concurrency')}</h2>
      <form
        className={rowClass}
        onSubmit={(event) => {
          event.preventDefault();
          void set(text.trim() === '' ? 0 : Number(text));
        }}
      >
        <TextField
          label={t('settings.concurrencyLabel')}
          inputMode="numeric"
          value={text}
          disabled={!canWrite}
          error={problem}
          hint={t('settings.concurrencyHint')}
          onChange={({ target }) => setText(target.value)}
        />
        {canWrite && <Button type="submit">{t('save')}</Button>}
      </form>
    </section>
  );
}

function RateLimit({ ttl, ...part }: Part & { readonly ttl: number }) {
  const { board, queueName, canWrite } = part;
  const params = { queueName };
  const { data } = useQuery(
    board.client.read('GET /api/queues/{queueName}/rate-limit', { params }),
  );
  const [max, setMax] = useState<string>();
  const [window, setWindow] = useState<string>();
  const [problem, setProblem] = useState<string>();
  if (!data?.supported) return null;
  const stored = data.rateLimit;
  const shownMax = max ?? (stored ? String(stored.max) : '');
  const shownWindow = window ?? (stored ? String(stored.duration) : '');
  const set = (body: { max: number; duration: number } | { max: null }) =>
    configure(part, {
      run: () => board.client.call('PUT /api/queues/{queueName}/rate-limit', { params, body }),
      done: () => {
        setProblem(undefined);
        setMax(undefined);
        setWindow(undefined);
        return t('done.rateLimit', { queue: queueName });
      },
      failed: (failure) => setProblem(errorText(failure)),
    });
  return (
    <section>
      <h2>{t('settings.rateLimit')}</h2>
      {ttl > 0 && (
        <Note tone="warn">
          {t('queue.limited', { time: duration(ttl) })}{' '}
          {canWrite && (
            <Button
              look="quiet"
              onClick={() =>
                void configure(part, {
                  run: () =>
                    board.client.call('PUT /api/queues/{queueName}/rate-limit/release', { params }),
                  done: () => t('done.released', { queue: queueName }),
                })
              }
            >
              {t('settings.release')}
            </Button>
          )}
        </Note>
      )}
      <form
        className={rowClass}
        onSubmit={(event) => {
          event.preventDefault();
          void set({ max: Number(shownMax), duration: Number(shownWindow) });
        }}
      >
        <TextField
          label={t('settings.rateMax')}
          inputMode="numeric"
          value={shownMax}
          disabled={!canWrite}
          error={problem}
          onChange={({ target }) => setMax(target.value)}
        />
        <TextField
          label={t('settings.rateDuration')}
          inputMode="numeric"
          value={shownWindow}
          disabled={!canWrite}
          onChange={({ target }) => setWindow(target.value)}
        />
        {canWrite && <Button type="submit">{t('save')}</Button>}
        {canWrite && stored && (
          <Button onClick={() => void set({ max: null })}>{t('settings.noLimit')}</Button>
        )}
      </form>
    </section>
  );
}

function Defaults({ board, queueName }: QueuePlace) {
  const { data } = useQuery({
    ...board.client.read('GET /api/queues/{queueName}/default-job-options', {
      params: { queueName },
    }),
    staleTime: 60_000,
  });
  if (!data || Object.keys(data).length === 0) return null;
  return (
    <section>
      <h2>{t('settings.defaults')}</h2>
      <pre className={style['json']}>{JSON.stringify(data, null, 2)}</pre>
    </section>
  );
}
