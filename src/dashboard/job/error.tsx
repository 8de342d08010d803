/** The failure of a job: its message, its stack with the frames of packages folded, and the way to the same errors. */

import { Link } from '@tanstack/react-router';
import { useState } from 'react';

import { toJob, toQueue, useBoard } from '../api/boards.ts';
import type { Board } from '../api/boards.ts';
import { useListing } from '../api/listings.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { copyText } from '../kit/copy.ts';
import { Icon } from '../kit/icon.tsx';
import { longestPart, normalError } from '../queue/jobs.ts';
import type { JobDetail } from './detail.ts';
import style from './job.module.css';

interface Frames {
  readonly own: boolean;
  readonly lines: readonly string[];
}

const foreign = /node_modules|\(?node:|<anonymous>|internal\//;

/** Runs of frames of one's own code and of others'. */
function framesOf(stack: string): { readonly title: string; readonly runs: readonly Frames[] } {
  const lines = stack.split('\n');
  const first = lines.findIndex((line) => /^\s*at /.test(line));
  const title = lines.slice(0, first < 0 ? lines.length : first).join('\n');
  const runs: { own: boolean; lines: string[] }[] = [];
  for (const line of first < 0 ? [] : lines.slice(first)) {
    const own = !foreign.test(line);
    const last = runs.at(-1);
    if (last?.own === own) last.lines.push(line.trim());
    else runs.push({ own, lines: [line.trim()] });
  }
  return { title, runs };
}

export function JobError({ job }: { readonly job: JobDetail }) {
  const board = useBoard();
  const { reason, stacks } = job;
  if (reason === undefined && stacks.length === 0) return null;
  // A job that has completed keeps the error of its last attempt but one.
  const isPast = job.state === 'completed';
  const [newest = ''] = stacks;
  const message = reason ?? newest.split('\n')[0] ?? '';
  const search = `error ~ ${JSON.stringify(longestPart(message, normalError(message)))}`;
  return (
    <section
      className={style['error']}
      data-past={isPast || undefined}
      aria-label={t(isPast ? 'job.pastError' : 'job.error')}
    >
      <div className={style['message']}>
        <Icon name={isPast ? 'info' : 'cross'} size={16} />
        {isPast && <strong>{t('job.pastError')}</strong>}
        <p>
          <Reason board={board} text={message} />
        </p>
        <Link {...toQueue(board, job.queueName, { state: 'failed', q: search })}>
          {t('job.sameError')}
        </Link>
        <Button
          look="quiet"
          icon="copy"
          onClick={() => void copyText([message, ...stacks].join('\n\n'), t('job.error'))}
        >
          {t('copy')}
        </Button>
      </div>
      {stacks.slice(0, 1).map((stack) => (
        <Stack key="newest" stack={stack} message={message} />
      ))}
      {stacks.length > 1 && (
        <details>
          <summary>{t('job.earlier', { count: stacks.length - 1 })}</summary>
          {stacks.slice(1).map((stack, at) => (
            <Stack key={at} stack={stack} message="" />
          ))}
        </details>
      )}
    </section>
  );
}

/** The first line of a parent's reason, in which the library names the child by its key. */
const reasonOfChild = /^((?:\w{1,100}: )?child )(\S+:(\S+))( failed)$/m;

/** A reason; a child that it names is a link. */
function Reason({ board, text }: { readonly board: Board; readonly text: string }) {
  const { data } = useListing(board);
  const [whole, start = '', key = '', , end = ''] = reasonOfChild.exec(text) ?? [];
  const queue = (data?.queues ?? [])
    .map(({ name }) => name)
    .filter((name) => key.includes(`:${name}:`))
    .toSorted((left, right) => right.length - left.length)[0];
  if (whole === undefined || queue === undefined) return text;
  const id = key.slice(key.indexOf(`:${queue}:`) + queue.length + 2);
  const at = text.indexOf(whole);
  return (
    <>
      {text.slice(0, at)}
      {start}
      <Link {...toJob(board, queue, id)}>{key}</Link>
      {end}
      {text.slice(at + whole.length)}
    </>
  );
}

function Stack({ stack, message }: { readonly stack: string; readonly message: string }) {
  const { title, runs } = framesOf(stack);
  return (
    <div className={style['stack']} role="region" aria-label={t('job.stack')} tabIndex={0}>
      {title !== '' && !title.endsWith(message) && <pre>{title}</pre>}
      {runs.map(({ own, lines }, at) =>
        own ? <pre key={at}>{lines.join('\n')}</pre> : <Folded key={at} lines={lines} />,
      )}
    </div>
  );
}

function Folded({ lines }: { readonly lines: readonly string[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? 'down' : 'right'} size={10} />
        {t('job.frames', { count: lines.length })}
      </button>
      {open && <pre data-foreign>{lines.join('\n')}</pre>}
    </>
  );
}
