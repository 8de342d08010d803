/** Buttons with one pressed at a time. */

import style from './page.module.css';

export function Segments({
  label,
  choices,
  chosen,
  choose,
}: {
  readonly label: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly chosen: string;
  readonly choose: (value: string) => void;
}) {
  return (
    <div className={style['segments']} role="group" aria-label={label}>
      {choices.map(([value, text]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => choose(value)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
