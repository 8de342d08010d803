/** Asks before a command: over how many jobs, in which states, matching what, and what becomes of them. */

import type { ReactNode } from 'react';

import { exact } from '../format/number.ts';
import { addTexts, t } from '../i18n/index.ts';
import texts from '../i18n/messages/en/queue.json';
import type { Verb } from './verbs.ts';
import { Confirm } from '../kit/dialogs/confirm.tsx';
import { stateName } from '../kit/states.tsx';

addTexts(texts);

/** A command that is asked about. */
export interface Many {
  readonly verb: Verb;
  readonly count: number;
  readonly states: readonly string[];
  readonly queue: string;
  /** The text of the filter that chooses the jobs. */
  readonly filter?: string | undefined;
}

export function AskMany({
  many: { verb, count, states, queue, filter },
  close,
  run,
  children,
}: {
  readonly many: Many;
  readonly close: () => void;
  readonly run: () => void;
  /** Further facts and choices. */
  readonly children?: ReactNode;
}) {
  const words = { verb: t(`verb.${verb}`), count };
  const shown = [...new Set(states)].map(stateName).join(', ');
  return (
    <Confirm
      title={t('many.title', words)}
      action={t('many.action', words)}
      mild={verb !== 'remove'}
      close={close}
      run={run}
    >
      <p>
        {count > 1 && `${exact(count)} · `}
        {t('many.of', { states: shown, queue })} {t(`many.will.${verb}`)}
      </p>
      {filter && (
        <p>
          {t('many.matching')} <code dir="auto">{filter}</code>
        </p>
      )}
      {children}
      {verb === 'retry' && states.includes('completed') && <p>{t('many.again')}</p>}
    </Confirm>
  );
}
