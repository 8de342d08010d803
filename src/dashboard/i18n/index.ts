/**
 * Texts by key. English is in the first load; another language is loaded when it is chosen. Catalogues are compiled
 * when the dashboard is built, so that no parser of messages is in the bundle.
 */

import { setupI18n } from '@lingui/core';

import { settings } from '../settings.ts';
import { uiConfig } from '../config.ts';
import common from './messages/en/common.json';
import overview from './messages/en/overview.json';
import type { texts } from './messages/en.ts';

export type MessageKey = keyof typeof texts;

/** The languages by their own names. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  pt: 'Português',
  ar: 'العربية',
} as const;

export type Language = keyof typeof languages;

const others: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ default: object }>>> = {
  de: () => import('./messages/de.json'),
  pt: () => import('./messages/pt.json'),
  ar: () => import('./messages/ar.json'),
};

/** The texts in English that are loaded so far; screens bring theirs. */
const english: Record<string, unknown> = { ...common, ...overview };
/** The texts of the chosen language, if it is another one. */
let translated: object = {};

const i18n = setupI18n({ locale: 'en', messages: { en: english as never } });

function formatsOf(language: string): string {
  const region = navigator.languages.find((tag) => tag.split('-')[0] === language);
  return `${region ?? language}-u-nu-latn`;
}

let formats = formatsOf('en');

const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/** The language to show: chosen by the person, by the board, or by the browser. */
export function wantedLanguage(): Language {
  const wishes = [settings().locale, uiConfig.locale?.lng ?? '', ...navigator.languages];
  for (const wish of wishes) {
    const base = wish.split('-')[0] ?? '';
    if (isLanguage(base)) return base;
  }
  return 'en';
}

/** Loads and activates a language. */
export async function showLanguage(language: Language): Promise<void> {
  if (language !== 'en') {
    ({ default: translated } = await others[language]());
    // A text that a translation lacks is shown in English.
    i18n.load(language, { ...english, ...translated } as never);
  }
  i18n.activate(language);
  formats = formatsOf(language);
  document.documentElement.lang = language;
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
}

/** Adds the texts of a screen that is loaded later. */
export function addTexts(texts: object): void {
  Object.assign(english, texts);
  i18n.load('en', english as never);
  if (i18n.locale !== 'en') i18n.load(i18n.locale, { ...english, ...translated } as never);
}

/** The locale of formatters: the browser's variant of the language. Digits stay Latin, as in ids and data. */
export const locale = (): string => formats;

/** The text of a key. */
export function t(key: MessageKey, values?: Readonly<Record<string, unknown>>): string {
  return i18n._(key, values as Record<string, unknown>);
}

export function hasText(key: string): key is MessageKey {
  return Object.hasOwn(english, key);
}
