/** A session that has ended: said over the kept page, so that drafts are not lost. */

import { useEffect, useState, useSyncExternalStore } from 'react';

import { ownBoard } from '../api/boards.ts';
import { failureOf } from '../api/errors.ts';
import { queries } from '../api/queries.ts';
import { uiConfig } from '../config.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialogs/dialog.tsx';
import { readNow } from '../live/loop.ts';
import style from './shell.module.css';

const cache = queries.getQueryCache();

/** Whether the last answer of a query that is shown was 401. */
function signedOut(): boolean {
  return cache
    .getAll()
    .some(
      (query) =>
        query.isActive() &&
        query.state.error !== null &&
        failureOf(query.state.error).status === 401,
    );
}

export function SignedOut() {
  const out = useSyncExternalStore((listener) => cache.subscribe(listener), signedOut);
  const [dismissed, dismiss] = useState(false);
  useEffect(() => {
    if (!out) return;
    // Back from the tab of the login.
    addEventListener('focus', readNow);
    return () => {
      removeEventListener('focus', readNow);
      dismiss(false);
      void import('../live/stream.ts').then(({ reopenStreams }) => reopenStreams());
    };
  }, [out]);
  if (!out) return null;
  const signIn = () => {
    // Where the host or a proxy asks for the login, any page of the board leads to it.
    window.open(
      `${ownBoard.basePath}/${uiConfig.hasAuth ? 'auth/login' : ''}`,
      '_blank',
      'noopener',
    );
  };
  if (dismissed) {
    return (
      <div className={style['out']} role="status">
        <span>{t('signedOut.title')}</span>
        <Button look="primary" onClick={signIn}>
          {t('signedOut.signIn')}
        </Button>
      </div>
    );
  }
  return (
    <Dialog
      title={t('signedOut.title')}
      close={() => dismiss(true)}
      actions={
        <>
          <Button
            onClick={() => {
              void queries.invalidateQueries();
              readNow();
            }}
          >
            {t('signedOut.again')}
          </Button>
          <Button look="primary" onClick={signIn}>
            {t('signedOut.signIn')}
          </Button>
        </>
      }
    >
      <p>{t('signedOut.text')}</p>
    </Dialog>
  );
}
