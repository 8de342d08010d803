/** The difference of two texts, as it is shown before one takes the place of the other. */

import { useMemo } from 'react';

import { t } from '../i18n/index.ts';
import { diffLines, diffParts } from './diff.ts';
import style from './job.module.css';

const signs = { same: '  ', added: '+ ', removed: '− ' } as const;

export function Diff({ before, after }: { readonly before: string; readonly after: string }) {
  const changes = useMemo(() => diffLines(before, after), [before, after]);
  const count = (kind: string) =>
    changes.reduce((sum, change) => sum + (change.kind === kind ? change.lines.length : 0), 0);
  return (
    <>
      <p className={style['diff-count']}>
        {t('edit.diff', { added: count('added'), removed: count('removed') })}
      </p>
      <pre
        className={`${style['json']} ${style['diff']}`}
        tabIndex={0}
        aria-label={t('edit.diffLabel')}
      >
        {diffParts(changes).map(({ kind, text, count: left }, at) => (
          <span key={at} data-kind={kind}>
            {left === undefined
              ? `${signs[kind]}${text}`
              : t(kind === 'same' ? 'edit.same' : 'edit.more', { count: left })}
            {'\n'}
          </span>
        ))}
      </pre>
    </>
  );
}
