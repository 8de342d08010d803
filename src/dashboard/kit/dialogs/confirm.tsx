/** Asks before something that cannot be undone, or that many jobs are changed by; where much is lost, the name has to be typed. Cancel has the focus. */

import { useState } from 'react';
import type { ReactNode } from 'react';

import { t } from '../../i18n/index.ts';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';
import style from './confirm.module.css';

export function Confirm({
  title,
  children,
  action,
  typed,
  mild = false,
  close,
  run,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  /** The text of the button that does it. */
  readonly action: string;
  /** Text that must be typed. */
  readonly typed?: string | undefined;
  /** Whether nothing is lost by it. */
  readonly mild?: boolean;
  readonly close: () => void;
  readonly run: () => void;
}) {
  const [text, setText] = useState('');
  const ready = typed === undefined || text === typed;
  return (
    <Dialog
      title={title}
      close={close}
      actions={
        <>
          <Button autoFocus onClick={close}>
            {t('cancel')}
          </Button>
          <Button
            look={mild ? 'primary' : 'danger'}
            disabled={!ready}
            onClick={() => {
              close();
              run();
            }}
          >
            {action}
          </Button>
        </>
      }
    >
      {children}
      {typed !== undefined && (
        <label className={style['typed']}>
          <span>{t('confirm.type', { name: typed })}</span>
          <input
            value={text}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
      )}
    </Dialog>
  );
}
