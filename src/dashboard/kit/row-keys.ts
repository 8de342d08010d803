/** `j` and `k` move through the rows of a screen: focus goes from one row's link to the next. */

import { t } from '../i18n/index.ts';
import { useActions } from '../keys/keys.ts';

const move = (by: number) => () => {
  const links = [...document.querySelectorAll<HTMLElement>('main [data-row-link]')];
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
  const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
};

export function useRowKeys(): void {
  const moving = { group: 'list', quiet: true } as const;
  useActions([
    { ...moving, id: 'row-next', title: t('keys.next'), keys: 'j, ArrowDown', run: move(1) },
    { ...moving, id: 'row-previous', title: t('keys.previous'), keys: 'k, ArrowUp', run: move(-1) },
  ]);
}
