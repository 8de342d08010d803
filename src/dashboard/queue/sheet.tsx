/** The sheet of a command over many jobs: how many there are and since when, how fast it goes, and what becomes of them. */

import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';

import type { QueuePlace } from '../api/boards.ts';
import { age, duration } from '../format/time.ts';
import { t } from '../i18n/index.ts';
import { AskMany } from '../job/ask-many.tsx';
import type { Many } from '../job/ask-many.tsx';
import { Button } from '../kit/button.tsx';
import { serverNow } from '../live/server-time.ts';
import { mostUnasked } from './queue-commands.ts';
import { countRun } from './runs.ts';
import type { Run, RunVerb } from './runs.ts';
import style from './queue.module.css';

/** Jobs per second to choose from. */
const rates = [10, 50, 200, 1_000] as const;

/** Commands whose jobs wait afterwards. */
const undone: ReadonlySet<string> = new Set(['retry', 'promote', 'resume']);

interface Props extends QueuePlace {
  readonly many: Many;
  /** The filter of a run; undefined for chosen jobs. */
  readonly filter: Record<string, string> | undefined;
  /** The counts so far. */
  readonly counted?: Run | undefined;
  readonly close: () => void;
  readonly run: (rate: number | undefined) => void;
}

/** Counts the jobs when the sheet opens, and when somebody asks again. */
function useDryRun({ board, queueName, many, filter, counted }: Props) {
  const [found, setFound] = useState(counted);
  const [asked, ask] = useState(0);
  const [pending, wait] = useState(false);
  const verb = many.verb as RunVerb;
  const isKnown = counted !== undefined && asked === 0;
  useEffect(() => {
    if (!filter || isKnown || many.verb === 'release') return undefined;
    const stopping = new AbortController();
    wait(true);
    void countRun(board, queueName, verb, filter, stopping.signal).then((run) => {
      if (stopping.signal.aborted) return;
      setFound(run);
      wait(false);
    });
    return () => stopping.abort();
    // The filter of a sheet does not change while it is open.
  }, [board, queueName, verb, asked, isKnown]);
  return { found, pending, again: filter && (() => ask((times) => times + 1)) };
}

export function Sheet(props: Props) {
  const { board, queueName, many, close, run } = props;
  const { found, pending, again } = useDryRun(props);
  const [rate, setRate] = useState<number>();
  const { data } = useQuery(board.client.read('GET /api/activity', { query: { queueName } }));
  const count = found?.matched ?? many.count;
  const workers = data?.queues[0]?.workers;
  const { errors, oldest } = found?.found ?? {};
  const facts = [
    t('many.jobs', { count }),
    errors && t('many.errors', { count: errors }),
    oldest && t('many.oldest', { age: age(Math.max(0, (data?.at ?? serverNow()) - oldest)) }),
    typeof workers === 'number' && t('many.workers', { count: workers }),
  ];
  return (
    <AskMany many={{ ...many, count }} close={close} run={() => run(rate)}>
      <p className={style['facts']}>
        <span role="status">{facts.filter(Boolean).join(' · ')}</span>
        {again && (
          <Button look="quiet" icon="retry" pending={pending} onClick={again}>
            {t('many.count')}
          </Button>
        )}
      </p>
      {count > mostUnasked && (
        <p className={style['facts']}>
          <label>
            {t('many.rate')}{' '}
            <select
              value={rate ?? ''}
              onChange={({ target }) => setRate(Number(target.value) || undefined)}
            >
              <option value="">{t('many.fast')}</option>
              {rates.map((each) => (
                <option key={each} value={each}>
                  {t('many.perSecond', { count: each })}
                </option>
              ))}
            </select>
          </label>
          {rate !== undefined && t('many.takes', { time: duration((count / rate) * 1_000) })}
        </p>
      )}
      {undone.has(many.verb) && <p>{t('many.undo')}</p>}
    </AskMany>
  );
}
