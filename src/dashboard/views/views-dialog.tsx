/** Saved views of a board: name what is shown, open, share, remove. */

import texts from '../i18n/messages/en/views.json';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';

import { useBoard } from '../api/boards.ts';
import { addTexts, t } from '../i18n/index.ts';
import { IconButton } from '../kit/button.tsx';
import { copyText } from '../kit/copy.ts';
import { Dialog } from '../kit/dialogs/dialog.tsx';
import { Gate } from '../kit/dialogs/gate.tsx';
import { TextField, rowClass } from '../kit/dialogs/form.tsx';
import { tell } from '../kit/notices.ts';
import { printView } from '../view.ts';
import {
  linkOf,
  longestName,
  mostViews,
  offeredName,
  removeView,
  saveView,
  shownView,
  targetOf,
  useSavedViews,
} from './saved-views.ts';
import style from './views.module.css';

addTexts(texts);

export function ViewsDialog({ close }: { readonly close: () => void }) {
  const board = useBoard();
  const views = useSavedViews().filter((view) => view.board === board.basePath);
  const [name, setName] = useState(offeredName);
  const wanted = name.trim();
  const known = views.some((view) => view.name === wanted);
  return (
    <Dialog title={t('views.title')} close={close}>
      <form
        className={rowClass}
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted === '') return;
          saveView(shownView(board, wanted));
          tell({ text: t('views.saved', { name: wanted }) });
          setName('');
        }}
      >
        <TextField
          label={t('views.name')}
          hint={known ? t('views.replaces') : t('views.hint', { count: mostViews })}
          value={name}
          maxLength={longestName}
          autoFocus
          onChange={({ target }) => setName(target.value)}
        />
        <Gate
          look="primary"
          type="submit"
          missing={wanted === '' ? t('views.needsName') : undefined}
        >
          {t('views.save')}
        </Gate>
      </form>
      {views.length === 0 ? (
        <p className={style['none']}>{t('views.none')}</p>
      ) : (
        <ul className={style['list']} aria-label={t('views.title')}>
          {views.map((view) => {
            const { to, search } = targetOf(view) ?? { to: '/', search: {} };
            return (
              <li key={view.name}>
                <Link to={to} search={search} className={style['name']} onClick={close}>
                  <bdi>{view.name}</bdi>
                  <code>
                    {view.path}
                    {printView(view.search)}
                  </code>
                </Link>
                <IconButton
                  label={t('views.copy', { name: view.name })}
                  icon="link"
                  onClick={() => void copyText(linkOf(view), view.name)}
                />
                <IconButton
                  label={t('views.remove', { name: view.name })}
                  icon="trash"
                  onClick={() => {
                    removeView(view);
                    tell({
                      text: t('views.removed', { name: view.name }),
                      undo: () => saveView(view),
                    });
                  }}
                />
              </li>
            );
          })}
        </ul>
      )}
    </Dialog>
  );
}
