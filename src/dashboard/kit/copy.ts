/** Copies text, also where the page is not in a secure context. */

import { t } from '../i18n/index.ts';
import { tell } from './notices.ts';

export async function copyText(text: string, what?: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.style.position = 'fixed';
    area.style.opacity = '0';
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  tell({ text: t('copied', { what: what ?? '' }) });
}
