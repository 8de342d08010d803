/** The pages beside the one that is shown. */

import { exact } from '../../../src/dashboard/format/number.ts';
import type { Explanation } from '../data.ts';
import { t } from '../i18n/index.ts';
import type { View } from '../request/query.ts';

export interface Pages {
  readonly text: string;
  /** The change of the view that leads to a page; `null` if there is none. */
  readonly previous: Partial<View> | null;
  readonly next: Partial<View> | null;
}

export function pagesOf(explanation: Explanation | undefined): Pages {
  if (explanation?.status !== 200) return { text: '', previous: null, next: null };
  const {
    data = [],
    page,
    total,
    lastPage,
    hasNextPage,
    nextCursor,
    prevCursor,
  } = explanation.answer;
  const rows = (count: number) => t('demo.rows', { count, number: exact(count) });
  if (page !== undefined) {
    const more = lastPage === undefined ? hasNextPage : page < lastPage;
    const place =
      lastPage === undefined
        ? t('demo.page', { page: exact(page) })
        : t('demo.pageOf', { page: exact(page), last: exact(lastPage) });
    return {
      text: total === undefined ? place : `${place} · ${rows(total)}`,
      previous: page > 1 ? { page: page - 1 } : null,
      next: more ? { page: page + 1 } : null,
    };
  }
  if (nextCursor === undefined) return { text: rows(data.length), previous: null, next: null };
  const to = (cursor: string | null | undefined) => (cursor ? { cursor } : null);
  return { text: t('demo.byCursor'), previous: to(prevCursor), next: to(nextCursor) };
}
