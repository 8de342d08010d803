/** The filter line of the jobs of a queue, in the language of its engine. */

import { languageOf } from '../../board/filters/index.ts';
import { addTexts, t } from '../i18n/index.ts';
import texts from '../i18n/messages/en/queue.json';
import { FilterLine } from '../kit/filter-line.tsx';
import type { ReadFilter } from '../queue/filter-language.ts';

addTexts(texts);

export function FilterBar({
  engine,
  value,
  read,
  known,
  onDraft,
  onChange,
}: {
  readonly engine: 'kvq' | 'pgq';
  readonly value: string;
  readonly read: ReadFilter;
  /** Paths of data to offer. */
  readonly known: readonly string[];
  readonly onDraft: (draft: boolean) => void;
  readonly onChange: (value: string) => void;
}) {
  return (
    <FilterLine
      value={value}
      error={read.error}
      language={(text) => languageOf(engine, text, known)}
      label={t('queue.filter')}
      hint={t(engine === 'kvq' ? 'queue.filterHint' : 'queue.filterHintPgq')}
      offers={t('queue.filterOffers')}
      onDraft={onDraft}
      onChange={onChange}
    />
  );
}
