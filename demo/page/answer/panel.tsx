/** The answer, as a table or as JSON, with the way to the pages beside it. */

import { useEffect, useRef, useState } from 'react';

import { IconButton } from '../../../src/dashboard/kit/button.tsx';
import { Empty, Skeleton } from '../../../src/dashboard/kit/panel.tsx';
import type { EndpointMeta, Explanation } from '../data.ts';
import { t } from '../i18n/index.ts';
import type { ChangeView, View } from '../request/query.ts';
import { Segments } from '../segments.tsx';
import { Json } from './code.tsx';
import type { Pages } from './pages.ts';
import { Table } from './table.tsx';
import style from '../page.module.css';

export function AnswerPanel({
  meta,
  view,
  change,
  explanation,
  loading,
  pages,
  step,
}: {
  readonly meta: EndpointMeta;
  readonly view: View;
  readonly change: ChangeView;
  readonly explanation: Explanation | undefined;
  readonly loading: boolean;
  readonly pages: Pages;
  readonly step: (changes: Partial<View> | null) => (() => void) | undefined;
}) {
  const [form, setForm] = useState('table');
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    body.current?.scrollTo(0, 0);
  }, [explanation]);
  return (
    <section
      id="answer"
      className={`${style['panel']} ${style['answer']}`}
      tabIndex={-1}
      aria-labelledby="answer-title"
    >
      <div className={style['bar']}>
        <h2 id="answer-title">{t('demo.response')}</h2>
        <nav className={style['pager']} aria-label={t('demo.pages')}>
          <span>{pages.text}</span>
          <IconButton
            label={t('demo.previousPage')}
            icon="left"
            disabled={pages.previous === null}
            onClick={step(pages.previous)}
          />
          <IconButton
            label={t('demo.nextPage')}
            icon="right"
            disabled={pages.next === null}
            onClick={step(pages.next)}
          />
        </nav>
        <Segments
          label={t('demo.responseView')}
          choices={[
            ['table', t('demo.table')],
            ['json', 'JSON'],
          ]}
          chosen={form}
          choose={setForm}
        />
      </div>
      <div
        ref={body}
        className={style['body']}
        data-loading={loading || undefined}
        tabIndex={0}
        role="region"
        aria-label={t('demo.rowsLabel')}
      >
        <Answer form={form} explanation={explanation} meta={meta} view={view} change={change} />
      </div>
    </section>
  );
}

function Answer({
  form,
  explanation,
  meta,
  view,
  change,
}: {
  readonly form: string;
  readonly explanation: Explanation | undefined;
  readonly meta: EndpointMeta;
  readonly view: View;
  readonly change: ChangeView;
}) {
  if (!explanation) return <Skeleton />;
  const { status, answer } = explanation;
  if (form === 'json') return <Json value={answer} />;
  if (status !== 200) {
    return (
      <div className={style['refusal']}>
        <strong>
          {status} {answer.code}
        </strong>
        <p>{answer.message}</p>
        <Json value={answer} />
      </div>
    );
  }
  const { data = [] } = answer;
  if (data.length === 0) return <Empty icon="search" title={t('demo.noRows')} />;
  return <Table rows={data} meta={meta} view={view} change={change} />;
}
