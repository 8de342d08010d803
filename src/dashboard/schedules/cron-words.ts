/** Cron expressions in words, in the person's language. */

import { useQuery } from '@tanstack/react-query';
import { toString } from 'cronstrue';

import { locale } from '../i18n/index.ts';

/** The languages of the dashboard by the library's names; English is part of it. */
const others: Readonly<
  Record<string, { readonly name: string; readonly load: () => Promise<unknown> }>
> = {
  de: { name: 'de', load: () => import('cronstrue/locales/de.min.js') },
  pt: { name: 'pt_BR', load: () => import('cronstrue/locales/pt_BR.min.js') },
  ar: { name: 'ar', load: () => import('cronstrue/locales/ar.min.js') },
};

/** The meaning of an expression in words; undefined if it is not a cron expression. */
export type CronWords = (expression: string) => string | undefined;

export function useCronWords(): CronWords {
  const language = locale().split('-')[0] ?? 'en';
  const other = others[language];
  const { data } = useQuery({
    queryKey: ['cron words', language],
    queryFn: async () => {
      await other?.load();
      return other?.name ?? 'en';
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (expression) => {
    try {
      return toString(expression, { locale: data ?? 'en', use24HourTimeFormat: true });
    } catch {
      return undefined;
    }
  };
}
