/** JSON as text that people write: where it is wrong. */

import { t } from '../i18n/index.ts';

/** Why a text is not JSON, with line and column; undefined if it is. */
export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? Number.NaN);
    if (Number.isNaN(position)) return t('json.invalid');
    const before = text.slice(0, position).split('\n');
    return t('json.invalidAt', { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
  }
}
