/** All keys, by what they belong to. */

import type { ReactNode } from 'react';

import { t } from '../i18n/index.ts';
import { useAllActions } from '../keys/keys.ts';
import { Keys } from '../kit/button.tsx';
import { Dialog } from '../kit/dialogs/dialog.tsx';
import { change, useSettings } from '../settings.ts';
import style from './help.module.css';

const groups = ['go', 'view', 'list', 'queue', 'job'] as const;

export function Help({
  close,
  children,
}: {
  readonly close: () => void;
  /** Ways to more help. */
  readonly children?: ReactNode;
}) {
  const actions = useAllActions().filter(({ keys }) => keys !== undefined);
  const { singleKeys } = useSettings();
  return (
    <Dialog title={t('keys.title')} close={close} wide>
      <label className={style['switch']}>
        <input
          type="checkbox"
          checked={singleKeys}
          onChange={({ target }) => change({ singleKeys: target.checked })}
        />
        {t('keys.single')}
      </label>
      <div className={style['groups']}>
        {groups.map((group) => {
          const own = actions.filter((action) => action.group === group);
          if (own.length === 0) return null;
          return (
            <section key={group}>
              <h3>{t(`keys.${group}`)}</h3>
              <dl>
                {own.map(({ id, title, keys = '' }) => (
                  <div key={id}>
                    <dt>{title}</dt>
                    <dd>
                      <span className="visually-hidden">{keys}</span>
                      <Keys keys={keys} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
      {children}
    </Dialog>
  );
}
