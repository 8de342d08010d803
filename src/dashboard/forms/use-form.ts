/** A form over a JSON text: its fields, or the text itself, of which one is shown. */

import { useMemo, useRef, useState } from 'react';

import { t } from '../i18n/index.ts';
import { offer, unread } from './fields.ts';
import type { DataField, OfferedField } from './fields.ts';

export type Mode = 'form' | 'json';

export interface JsonForm {
  readonly text: string;
  readonly type: (text: string) => void;
  /** The fields to show; undefined for the text. */
  readonly fields: readonly OfferedField[] | undefined;
  /** Goes on with the text also where fields become known. */
  readonly keepText: () => void;
  /** The text that names a field with something that cannot be sent. */
  readonly unread: string | undefined;
}

/**
 * @param known the fields, as far as they are known
 * @param initial the text before something is written, or that has come in its place
 */
export function useJsonForm(mode: Mode, known: readonly DataField[], initial: string): JsonForm {
  const [typed, type] = useState<string>();
  const [shown, show] = useState({ mode, asText: false });
  if (shown.mode !== mode) show({ mode, asText: false });
  const text = typed ?? initial;
  const now = useRef(text);
  now.current = text;
  // A field that was offered stays while it is written in.
  const offered = useMemo(
    () => (mode === 'form' ? offer(known, now.current) : undefined),
    [mode, known, initial],
  );
  const fields = shown.asText ? undefined : offered;
  const odd = fields && unread(fields, text);
  return {
    text,
    type,
    fields,
    keepText: () => show({ mode, asText: true }),
    unread: odd && t('form.unread', { field: odd.label }),
  };
}
