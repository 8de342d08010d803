/** Results of actions, at the edge of the page and in a polite live region. */

import { useState } from 'react';

import { t } from '../i18n/index.ts';
import { Button, IconButton } from '../kit/button.tsx';
import { dismiss, useNotices } from '../kit/notices.ts';
import type { Notice } from '../kit/notices.ts';
import style from './notices.module.css';

export function Notices() {
  const notices = useNotices();
  return (
    <div className={style['notices']} role="status" aria-live="polite">
      {notices.map((notice) => (
        <One key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function One({ notice }: { readonly notice: Notice }) {
  const { id, text, tone, undo, action, details } = notice;
  const [open, setOpen] = useState(false);
  return (
    <div className={style['notice']} data-tone={tone}>
      <div className={style['line']}>
        <span>{text}</span>
        {details && (
          <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t('show')}
          </Button>
        )}
        {action && (
          <Button
            onClick={() => {
              dismiss(id);
              action.run();
            }}
          >
            {action.label}
          </Button>
        )}
        {undo && (
          <Button
            onClick={() => {
              dismiss(id);
              undo();
            }}
          >
            {t('undo')}
          </Button>
        )}
        <IconButton label={t('dismiss')} icon="cross" onClick={() => dismiss(id)} />
      </div>
      {open && (
        <ul>
          {details?.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
