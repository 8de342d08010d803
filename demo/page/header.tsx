/** The top of the page: where one is, the boards beside it, and the person's own settings. */

import { Suspense, lazy, useState } from 'react';

import { languages, wantedLanguage } from '../../src/dashboard/i18n/index.ts';
import { useActions } from '../../src/dashboard/keys/keys.ts';
import { IconButton } from '../../src/dashboard/kit/button.tsx';
import { Logo } from '../../src/dashboard/kit/logo.tsx';
import { change, nextTheme, useSettings } from '../../src/dashboard/settings.ts';
import shell from '../../src/dashboard/shell/shell.module.css';
import type { BoardMeta } from './data.ts';
import { t } from './i18n/index.ts';
import style from './page.module.css';

const Help = lazy(() =>
  import('../../src/dashboard/shell/help.tsx').then(({ Help }) => ({ default: Help })),
);

export function Header({ boards }: { readonly boards: readonly BoardMeta[] }) {
  const [help, openHelp] = useState(false);
  const { theme } = useSettings();
  useActions([
    { id: 'help', title: t('demo.keys'), keys: '?', group: 'view', run: () => openHelp(true) },
  ]);
  return (
    <>
      <a className={shell['skip']} href="#answer">
        {t('demo.skip')}
      </a>
      <header className={`${shell['top']} ${style['top']}`}>
        <a className={shell['brand']} href="./">
          <Logo />
          <span>Sluice demo</span>
        </a>
        <nav className={shell['nav']} aria-label={t('demo.nav')}>
          <a
            href="#content"
            data-status="active"
            aria-current="page"
            onClick={(event) => event.preventDefault()}
          >
            {t('demo.lists')}
          </a>
          {boards.map(({ title, path }) => (
            <a key={path} href={`${path}/`}>
              {t('demo.board', { title })}
            </a>
          ))}
        </nav>
        <div className={`${shell['tools']} ${style['tools']}`}>
          <select
            aria-label={t('demo.language')}
            value={wantedLanguage()}
            onChange={({ target }) => change({ locale: target.value })}
          >
            {Object.entries(languages).map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
          <IconButton
            label={t('demo.theme')}
            icon={theme === 'light' ? 'sun' : theme === 'dark' ? 'moon' : 'half'}
            onClick={nextTheme}
          />
          <IconButton label={t('demo.keys')} icon="keyboard" onClick={() => openHelp(true)} />
        </div>
      </header>
      <Suspense>{help && <Help close={() => openHelp(false)} />}</Suspense>
    </>
  );
}
