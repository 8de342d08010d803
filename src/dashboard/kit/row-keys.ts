/** `j` and `k` move through the rows of a table: focus goes from one row's link to the next. */

import type { RefObject } from 'react';

import { t } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';

export function useRowKeys(table: RefObject<HTMLElement | null>): void {
  const move = (by: number) => () => {
    const links = [...(table.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])];
    const at = links.findIndex((link) => link.closest('tr, li')?.contains(document.activeElement));
    const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by];
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: 'nearest' });
  };
  const moving = { group: 'list', quiet: true } as const;
  useActions([
    { ...moving, id: 'row-next', title: t('keys.next'), keys: 'j, ArrowDown', run: move(1) },
    { ...moving, id: 'row-previous', title: t('keys.previous'), keys: 'k, ArrowUp', run: move(-1) },
  ]);
}
