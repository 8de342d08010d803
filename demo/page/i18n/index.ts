/** The texts of the page, beside those of the dashboard's kit. */

import { addTexts, showLanguage, t as textOf } from '../../../src/dashboard/i18n/index.ts';
import type { Language } from '../../../src/dashboard/i18n/index.ts';
import english from './messages/en.json';

export type TextKey = keyof typeof english;

const others: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: object }>>> = {
  de: () => import('./messages/de.json'),
  pt: () => import('./messages/pt.json'),
  ar: () => import('./messages/ar.json'),
};

/** Loads and shows a language. */
export async function showTexts(language: Language): Promise<void> {
  const texts = language === 'en' ? english : (await others[language]()).default;
  await showLanguage(language);
  addTexts(texts);
}

/** The text of a key. */
export function t(key: TextKey, values?: Readonly<Record<string, unknown>>): string {
  return textOf(key as never, values);
}
