/** The filter line of a queue. */

import { t } from '../i18n/index.ts';
import { FilterLine } from '../kit/filter-line.tsx';
import { language } from './filter-language.ts';
import type { ReadFilter } from './filter-language.ts';

export function FilterBar({
  engine,
  value,
  read,
  known,
  onChange,
}: {
  readonly engine: 'kvq' | 'pgq';
  readonly value: string;
  readonly read: ReadFilter;
  /** Paths of data to offer. */
  readonly known: readonly string[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <FilterLine
      value={value}
      error={read.error}
      language={(text) => language(engine, text, known)}
      label={t('queue.filter')}
      hint={t(engine === 'kvq' ? 'queue.filterHint' : 'queue.filterHintPgq')}
      offers={t('queue.filterOffers')}
      onChange={onChange}
    />
  );
}
