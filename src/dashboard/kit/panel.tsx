/** The states of every panel: loading, empty, filtered-empty, failed, stale. */

import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';

import { failureOf } from '../api/errors.ts';
import { errorText } from '../api/error-text.ts';
import type { BoardFailure } from '../api/listings.ts';
import { t } from '../i18n/index.ts';
import type { MessageKey } from '../i18n/index.ts';
import { Button } from './button.tsx';
import { copyText } from './copy.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';
import style from './panel.module.css';

/** Milliseconds before a skeleton appears, so that fast answers do not flicker. */
const patienceMs = 150;

/** Rows of their real height, shown when an answer takes long. */
export function Skeleton({ rows = 8 }: { readonly rows?: number }) {
  const [shown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div
      className={style['skeleton']}
      role="status"
      aria-label={t('loading')}
      data-shown={shown || undefined}
    >
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} />
      ))}
    </div>
  );
}

/** Why there is nothing, and what to do next. */
export function Empty({
  icon = 'info',
  title,
  children,
}: {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className={style['empty']}>
      <Icon name={icon} size={20} />
      <p className={style['title']}>{title}</p>
      {children && <div className={style['next']}>{children}</div>}
    </div>
  );
}

/** A failure where its content would be. */
export function Failed({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}) {
  const failure = failureOf(error);
  return (
    <div className={style['failed']} role="alert">
      <Icon name="warn" size={20} />
      <div>
        <p className={style['title']}>{errorText(failure)}</p>
        <p className={style['code']}>
          <code>{failure.key}</code>
          {failure.status > 0 && <span> · HTTP {failure.status}</span>}
        </p>
      </div>
      <div className={style['next']}>
        {retry && (
          <Button icon="retry" onClick={retry}>
            {t('error.retry')}
          </Button>
        )}
        <Button
          icon="copy"
          look="quiet"
          onClick={() => void copyText(JSON.stringify(failure, null, 2))}
        >
          {t('error.copy')}
        </Button>
      </div>
    </div>
  );
}

/** The boards that could not be read; of some, something is known from before. */
export function BoardFailures({
  failures,
  stale,
}: {
  readonly failures: readonly BoardFailure[];
  /** The text for a board that is shown as it was. */
  readonly stale: MessageKey;
}) {
  return failures.map(({ board, error, retry, stale: isStale }) =>
    isStale ? (
      <Note key={board.basePath} tone="warn">
        {t(stale, { board: board.title })} {errorText(failureOf(error))}
      </Note>
    ) : (
      <Failed key={board.basePath} error={error} retry={retry} />
    ),
  );
}

/** A line at the place of a refusal or a hint. */
export function Note({
  tone = 'info',
  children,
}: {
  readonly tone?: 'info' | 'warn' | 'danger';
  readonly children: ReactNode;
}) {
  return (
    <p className={style['note']} data-tone={tone} role={tone === 'danger' ? 'alert' : undefined}>
      <Icon name={tone === 'info' ? 'info' : 'warn'} size={14} />
      <span>{children}</span>
    </p>
  );
}
