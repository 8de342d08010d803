/** The texts of a person: the tables as SQL, and the rules. */

import { useState } from 'react';

import { Note } from '../../src/dashboard/kit/panel.tsx';
import demo from '../../demo/page/page.module.css';
import type { Reply } from './answers.ts';
import { type World, maxText } from './state.ts';
import style from './playground.module.css';

const texts = [
  { part: 'tables', title: 'Tables', hint: 'statements of SQLite, read with introspect' },
  { part: 'rules', title: 'Rules', hint: 'for defineQueryRules, by model, as JSON5' },
] as const;

export function Editors({
  world,
  reply: { problem, skipped = [] },
  change,
}: {
  readonly world: World;
  readonly reply: Reply;
  readonly change: (changes: Partial<World>) => void;
}) {
  // On a narrow window the answer comes first; the texts open on demand.
  const [open, setOpen] = useState(() => matchMedia('(min-width: 1101px)').matches);
  return (
    <details
      className={style['editors']}
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>Tables and rules</summary>
      <div className={style['texts']}>
        {texts.map(({ part, title, hint }) => (
          <section key={part} className={demo['panel']} aria-labelledby={`${part}-title`}>
            <div className={demo['bar']}>
              <h2 id={`${part}-title`}>{title}</h2>
              <span className={demo['hint']}>{hint}</span>
            </div>
            <textarea
              id={part}
              className="mono"
              dir="ltr"
              rows={16}
              spellCheck={false}
              autoCapitalize="off"
              maxLength={maxText}
              aria-labelledby={`${part}-title`}
              aria-invalid={problem?.part === part}
              value={world[part]}
              onChange={({ target }) => change({ [part]: target.value })}
            />
            {part === 'tables' &&
              skipped.map(({ table, column, foreignKey = column, reason }) => (
                <Note key={`${table} ${foreignKey} ${reason}`} tone="warn">
                  {[table, foreignKey].filter((name) => name !== undefined).join('.')}: {reason}
                </Note>
              ))}
          </section>
        ))}
      </div>
    </details>
  );
}
