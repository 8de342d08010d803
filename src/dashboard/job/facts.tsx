/** Facts of a job beside its values. */

import { t } from '../i18n/index.ts';
import { Icon } from '../kit/icon.tsx';
import type { JobDetail } from './detail.ts';
import { JsonView } from './json-view.tsx';
import style from './job.module.css';

export function Facts({ job }: { readonly job: JobDetail }) {
  const facts: [string, string][] = [
    [t('fact.queue'), job.queueName],
    ...(job.worker === undefined ? [] : [[t('fact.worker'), job.worker] as [string, string]]),
    ...(job.priority ? [[t('col.priority'), String(job.priority)] as [string, string]] : []),
    ...Object.entries(job.facts),
  ];
  return (
    <aside className={style['facts']} aria-label={t('job.facts')}>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
      </dl>
      {job.progress !== undefined && (
        <>
          <h2>{t('col.progress')}</h2>
          <JsonView text={job.progress} label={t('col.progress')} plain />
        </>
      )}
      {job.link && (
        <a href={job.link.href} target="_blank" rel="noreferrer">
          {job.link.text ?? t('job.external')} <Icon name="out" size={12} />
        </a>
      )}
    </aside>
  );
}
