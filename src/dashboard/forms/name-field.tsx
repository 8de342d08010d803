/** The name of jobs, with those of the last jobs to choose from. */

import { useId } from 'react';

import { TextField } from '../kit/dialogs/form.tsx';

export function NameField({
  label,
  value,
  names,
  onChange,
  autoFocus = false,
}: {
  readonly label: string;
  readonly value: string;
  readonly names: readonly string[];
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
}) {
  const id = useId();
  return (
    <>
      <TextField
        label={label}
        value={value}
        list={id}
        autoFocus={autoFocus}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
