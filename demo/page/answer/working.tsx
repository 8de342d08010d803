/** How the answer came about: the statements with their parameters, and the validated plan. */

import type { ReactNode } from 'react';

import { Empty } from '../../../src/dashboard/kit/panel.tsx';
import type { Explanation } from '../data.ts';
import { t } from '../i18n/index.ts';
import { databaseName } from '../names.ts';
import { Json, Sql } from './code.tsx';
import style from '../page.module.css';

function Panel({
  id,
  title,
  note,
  label,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly label: string;
  readonly children: ReactNode;
}) {
  return (
    <section id={id} className={`${style['panel']} ${style[id]}`} aria-labelledby={`${id}-title`}>
      <div className={style['bar']}>
        <h2 id={`${id}-title`}>{title}</h2>
        <span className={style['hint']}>{note}</span>
      </div>
      <div className={style['body']} tabIndex={0} role="region" aria-label={label}>
        {children}
      </div>
    </section>
  );
}

export function SqlPanel({
  explanation,
  database,
}: {
  readonly explanation: Explanation | undefined;
  readonly database: string;
}) {
  const { statements = [] } = explanation ?? {};
  return (
    <Panel
      id="sql"
      title="SQL"
      label={t('demo.statementsLabel')}
      note={
        explanation
          ? t('demo.statements', { count: statements.length, database: databaseName(database) })
          : ''
      }
    >
      {statements.map(({ sql, params }, index) => (
        <div key={index} className={style['statement']}>
          <Sql text={sql} />
          {params.length > 0 && (
            <p className={style['params']}>
              {t('demo.parameters')} <code>{JSON.stringify(params)}</code>
            </p>
          )}
        </div>
      ))}
      {explanation && statements.length === 0 && <Empty title={t('demo.refused')} />}
    </Panel>
  );
}

export function PlanPanel({ explanation }: { readonly explanation: Explanation | undefined }) {
  return (
    <Panel id="plan" title={t('demo.plan')} label={t('demo.planLabel')} note={t('demo.planNote')}>
      {explanation &&
        (explanation.plan === null ? (
          <Empty title={t('demo.noPlan')} />
        ) : (
          <Json value={explanation.plan} />
        ))}
    </Panel>
  );
}
