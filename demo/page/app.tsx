/** The page: the address contains the request, the controls edit it, and every change sends it at once. */

import { useEffect, useMemo, useRef, useState } from 'react';

import { wantedLanguage } from '../../src/dashboard/i18n/index.ts';
import { useActions } from '../../src/dashboard/keys/keys.ts';
import { nextTheme, subscribe } from '../../src/dashboard/settings.ts';
import { hashOf, readAddress } from './address.ts';
import type { Address } from './address.ts';
import { AnswerPanel } from './answer/panel.tsx';
import { pagesOf } from './answer/pages.ts';
import { PlanPanel, SqlPanel } from './answer/working.tsx';
import type { Meta } from './data.ts';
import { Header } from './header.tsx';
import { showTexts, t } from './i18n/index.ts';
import { Controls } from './request/controls.tsx';
import { RequestLines } from './request/lines.tsx';
import { parseQuery, writeQuery } from './request/query.ts';
import type { ChangeView, View } from './request/query.ts';
import { Status } from './status.tsx';
import { useExplanation } from './use-explanation.ts';
import style from './page.module.css';

/** Milliseconds of a pause in typing, after which the request is sent. */
const typingPause = 250;

const firstPage = { page: 1, cursor: '' };

export function App({ meta }: { readonly meta: Meta }) {
  const [language, setLanguage] = useState(wantedLanguage);
  const [address, setAddress] = useState(() => readAddress(meta));
  const endpoint =
    meta.endpoints.find(
      ({ database, list }) => database === address.database && list === address.list,
    ) ?? meta.endpoints[0];
  if (!endpoint) throw new Error('The demo has no endpoint.');
  const [view, setView] = useState(() => parseQuery(address.query, endpoint));
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const databases = useMemo(
    () => [...new Set(meta.endpoints.map(({ database }) => database))],
    [meta],
  );
  const other = databases.find((database) => database !== address.database) ?? address.database;

  const show = (next: Address) => {
    const own = meta.endpoints.find(
      (each) => each.database === next.database && each.list === next.list,
    );
    setAddress(next);
    if (own) setView(parseQuery(next.query, own));
  };
  const go = (next: Address) => {
    clearTimeout(typing.current);
    history.pushState(null, '', hashOf(next));
    show(next);
  };
  const change: ChangeView = (changes, { typed = false, paged = false } = {}) => {
    const next = { ...view, ...(paged ? {} : firstPage), ...changes };
    const target = { ...address, query: writeQuery(next) };
    if (!typed) {
      go(target);
      return;
    }
    clearTimeout(typing.current);
    setView(next);
    typing.current = setTimeout(() => {
      // Typing replaces the history entry, so that going back does not undo single characters.
      history.replaceState(null, '', hashOf(target));
      setAddress(target);
    }, typingPause);
  };

  useEffect(() => {
    if (location.hash === '') history.replaceState(null, '', hashOf(address));
    const back = () => show(readAddress(meta));
    addEventListener('popstate', back);
    addEventListener('hashchange', back);
    return () => {
      removeEventListener('popstate', back);
      removeEventListener('hashchange', back);
    };
  }, [meta]);
  useEffect(
    () =>
      subscribe(() => {
        const wanted = wantedLanguage();
        void showTexts(wanted).then(() => setLanguage(wanted));
      }),
    [],
  );
  useEffect(() => {
    document.title = `${address.list} · Sluice demo`;
  }, [address.list]);

  const sent = useExplanation(address, other);
  const pages = pagesOf(sent.explanation);
  const step = (changes: Partial<View> | null) =>
    changes === null ? undefined : () => change(changes, { paged: true });
  useActions([
    {
      id: 'search',
      title: t('demo.search'),
      keys: '/',
      group: 'list',
      run: () => {
        const controls = document.querySelector<HTMLDetailsElement>('#controls');
        if (controls) controls.open = true;
        document.getElementById('search')?.focus();
      },
    },
    { id: 'next', title: t('demo.nextPage'), keys: 'n', group: 'list', run: step(pages.next) },
    {
      id: 'previous',
      title: t('demo.previousPage'),
      keys: 'p',
      group: 'list',
      run: step(pages.previous),
    },
    {
      id: 'database',
      title: t('demo.otherDatabase'),
      keys: 'd',
      group: 'view',
      run: () => go({ ...address, database: other }),
    },
    { id: 'theme', title: t('demo.theme'), keys: 't', group: 'view', run: nextTheme },
  ]);

  const shared = { meta: endpoint, view, change };
  return (
    <div className={style['page']} key={language}>
      <Header boards={meta.boards} />
      <RequestLines {...shared} all={meta} address={address} databases={databases} go={go} />
      <Status sent={sent} address={address} other={other} />
      <main className={style['panels']} id="content" tabIndex={-1}>
        <Controls {...shared} />
        <AnswerPanel
          {...shared}
          explanation={sent.explanation}
          loading={sent.loading}
          pages={pages}
          step={step}
        />
        <SqlPanel explanation={sent.explanation} database={address.database} />
        <PlanPanel explanation={sent.explanation} />
      </main>
      <footer className={style['foot']}>{t('demo.sources')}</footer>
    </div>
  );
}
