/** Fields for plain members of a JSON text; the text is what counts. */

import { useState } from 'react';

import { t } from '../i18n/index.ts';
import { Field, inputClass, TextField } from '../kit/dialogs/form.tsx';
import { keptMembers, shownText, writtenMember } from './fields.ts';
import type { OfferedField } from './fields.ts';
import style from './forms.module.css';
import { memberAt, withMember } from './members.ts';

/** Members that are named as kept. */
const mostNamed = 8;

export function DataFields({
  legend,
  fields,
  text,
  onChange,
}: {
  readonly legend: string;
  readonly fields: readonly OfferedField[];
  readonly text: string;
  readonly onChange: (text: string) => void;
}) {
  const kept = keptMembers(fields, text);
  return (
    <fieldset className={style['fields']}>
      <legend className="visually-hidden">{legend}</legend>
      {fields.map((field) => (
        <MemberField
          key={field.id}
          field={field}
          raw={memberAt(text, field.path) ?? undefined}
          set={(raw) => onChange(withMember(text, field.path, raw))}
        />
      ))}
      {kept.length > 0 && (
        <p className={style['kept']}>
          {t('form.kept', { names: kept.slice(0, mostNamed).join(', ') })}
          {kept.length > mostNamed && ' …'}
        </p>
      )}
    </fieldset>
  );
}

function MemberField({
  field,
  raw,
  set,
}: {
  readonly field: OfferedField;
  readonly raw: string | undefined;
  readonly set: (raw: string | undefined) => void;
}) {
  const { kind, hint, form, choices, isLong } = field;
  const label = `${field.label}${field.isRequired ? ' *' : ''}`;
  const shown = shownText(field, raw);
  // A number in another form stays as it is written: 90s does not become 1.5m.
  const [draft, setDraft] = useState(shown);
  const write = (text: string) => {
    setDraft(text);
    set(writtenMember(field, text));
  };
  if (kind === 'choice') {
    const all = raw === undefined || choices.includes(raw) ? choices : [raw, ...choices];
    return (
      <Field label={label} hint={hint}>
        {(props) => (
          <select
            {...props}
            className={inputClass}
            value={raw ?? ''}
            onChange={({ target }) => write(target.value)}
          >
            <option value="">–</option>
            {all.map((choice) => (
              <option key={choice} value={choice}>
                {choice.startsWith('"') ? String(JSON.parse(choice)) : choice}
              </option>
            ))}
          </select>
        )}
      </Field>
    );
  }
  if (isLong) {
    return (
      <Field label={label} hint={hint}>
        {(props) => (
          <textarea
            {...props}
            rows={3}
            className={inputClass}
            value={shown}
            onChange={({ target }) => write(target.value)}
          />
        )}
      </Field>
    );
  }
  const isUnread = kind === 'number' && raw?.startsWith('"');
  return (
    <TextField
      label={label}
      hint={hint}
      value={form ? draft : shown}
      placeholder={raw === 'null' ? 'null' : undefined}
      inputMode={kind === 'text' || form ? 'text' : 'decimal'}
      error={isUnread ? (form?.problem ?? t('form.noNumber')) : undefined}
      onChange={({ target }) => write(target.value)}
    />
  );
}
