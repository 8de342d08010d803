/** The page: texts on the left; the request, its controls, plan, SQL and answer on the right. The link holds the state. */

import { useEffect, useMemo, useState } from 'react';

import { AnswerPanel } from '../../demo/page/answer/panel.tsx';
import { pagesOf } from '../../demo/page/answer/pages.ts';
import { PlanPanel, SqlPanel } from '../../demo/page/answer/working.tsx';
import { Controls } from '../../demo/page/request/controls.tsx';
import { FilterText, QueryLine } from '../../demo/page/request/lines.tsx';
import { parseQuery, writeQuery } from '../../demo/page/request/query.ts';
import type { ChangeView, View } from '../../demo/page/request/query.ts';
import { Segments } from '../../demo/page/segments.tsx';
import { Status } from '../../demo/page/status.tsx';
import { Note } from '../../src/dashboard/kit/panel.tsx';
import demo from '../../demo/page/page.module.css';
import { type Opened, linkOf, readLink } from './address.ts';
import { type Problem, type Reply, ask } from './answers.ts';
import { Editors } from './editors.tsx';
import { Header } from './header.tsx';
import type { State } from './state.ts';
import style from './playground.module.css';

/** Milliseconds of a pause in typing, after which the state is asked for. */
const typingPause = 300;

const firstPage = { page: 1, cursor: '' };

/** How a state came about: those that are typed are no steps of the history. */
interface Shown {
  readonly state: State;
  readonly from: 'link' | 'step' | 'typing';
  readonly problem?: Problem | undefined;
}

const shownOf = ({ state, problem }: Opened): Shown => ({
  state,
  from: 'link',
  ...(problem !== undefined && { problem: { part: 'link', message: problem } }),
});

/** The reply to a state, and whether it is that of an earlier one. */
function useReply({ state, from }: Shown): { readonly reply: Reply; readonly loading: boolean } {
  const [replied, setReplied] = useState<{ readonly to?: State; readonly reply: Reply }>({
    reply: {},
  });
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(
      async () => {
        const next = await ask(state, controller.signal);
        if (!next || controller.signal.aborted) return;
        // Beside a problem, the last answer stays.
        setReplied(({ reply }) => ({
          to: state,
          reply: next.problem ? { ...reply, problem: next.problem } : next,
        }));
      },
      from === 'typing' ? typingPause : 0,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [state]);
  return { reply: replied.reply, loading: replied.to !== state };
}

/** Keeps the link of the window at the state, and follows a link that is opened in it. */
function useLink({ state, from }: Shown, show: (shown: Shown) => void): void {
  useEffect(() => {
    let current = true;
    const timer = setTimeout(
      async () => {
        const link = await linkOf(state);
        if (!current || link === location.hash) return;
        if (from === 'step') history.pushState(null, '', link);
        else history.replaceState(null, '', link);
      },
      from === 'typing' ? typingPause : 0,
    );
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [state]);
  useEffect(() => {
    const follow = async () => show(shownOf(await readLink(location.hash)));
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
}

export function App({ opened }: { readonly opened: Opened }) {
  const [shown, show] = useState(() => shownOf(opened));
  const { state } = shown;
  const { reply, loading } = useReply(shown);
  useLink(shown, show);
  const change = (changes: Partial<State>, from: Shown['from'] = 'step') =>
    show({ state: { ...state, ...changes }, from });

  const { lists = [], explanation } = reply;
  const meta = lists.find(({ list }) => list === state.list) ?? lists[0];
  const view = useMemo(() => meta && parseQuery(state.query, meta), [state.query, meta]);
  const changeView: ChangeView = (changes, { typed = false, paged = false } = {}) => {
    if (!view) return;
    const query = writeQuery({ ...view, ...(paged ? {} : firstPage), ...changes });
    change({ query }, typed ? 'typing' : 'step');
  };
  const pages = pagesOf(explanation);
  const step = (changes: Partial<View> | null) =>
    changes === null ? undefined : () => changeView(changes, { paged: true });
  const problem = shown.problem ?? reply.problem;
  // The answer beside a problem is that of an earlier state.
  const isStale = loading || reply.problem !== undefined;
  const sent = { loading, ...(!reply.problem && explanation && { explanation }) };

  return (
    <div className={demo['page']}>
      <Header show={(next) => show({ state: next, from: 'step' })} />
      <main className={style['columns']}>
        <Editors world={state} reply={reply} change={(changes) => change(changes, 'typing')} />
        <div className={style['run']}>
          <section className={demo['request']} aria-label="Request">
            <div className={demo['choices']}>
              <h1>Playground</h1>
              <div className={style['lists']}>
                <Segments
                  label="List"
                  choices={lists.map(({ list }) => [list, list])}
                  chosen={meta?.list ?? ''}
                  choose={(list) => change({ list, query: '' })}
                />
              </div>
            </div>
            {meta && view && (
              <FilterText key={meta.list} meta={meta} view={view} change={changeView} />
            )}
            <QueryLine
              path={meta?.list ?? state.list}
              query={state.query}
              send={(query) => change({ query })}
            />
          </section>
          <Status sent={sent} address={{ ...state, database: 'sqlite' }} other="" />
          {problem && (
            <div className={style['problem']}>
              <Note tone="danger">
                {titles[problem.part]}: {problem.message}
              </Note>
            </div>
          )}
          {meta && view && (
            <div className={demo['panels']} id="content">
              <Controls meta={meta} view={view} change={changeView} />
              <AnswerPanel
                meta={meta}
                view={view}
                change={changeView}
                explanation={explanation}
                loading={isStale}
                pages={pages}
                step={step}
              />
              <SqlPanel explanation={explanation} database="sqlite" />
              <PlanPanel explanation={explanation} />
            </div>
          )}
        </div>
      </main>
    </div>
  );
}

const titles: Readonly<Record<Problem['part'], string>> = {
  tables: 'Tables',
  rules: 'Rules',
  request: 'Request',
  database: 'Database',
  link: 'Link',
};
