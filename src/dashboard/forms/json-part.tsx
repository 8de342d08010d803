/** A JSON text in a form: as fields where its members are known, and else as text. */

import type { ReactNode } from 'react';

import { JsonField } from '../kit/dialogs/form.tsx';
import { jsonProblem } from './json-text.ts';
import { DataFields } from './data-fields.tsx';
import type { JsonForm } from './use-form.ts';

export function JsonPart({
  form: { text, type, fields, keepText },
  legend,
  label,
  hint,
  rows,
}: {
  readonly form: JsonForm;
  readonly legend: string;
  /** The label of the text. */
  readonly label: string;
  readonly hint?: ReactNode;
  readonly rows: number;
}) {
  if (fields) return <DataFields legend={legend} fields={fields} text={text} onChange={type} />;
  return (
    <JsonField
      label={label}
      hint={hint}
      rows={rows}
      value={text}
      error={text.trim() === '' ? undefined : jsonProblem(text)}
      onChange={type}
      onFocus={keepText}
    />
  );
}
