/** The top of the page: the examples, the theme, and the way back to the documents. */

import { IconButton } from '../../src/dashboard/kit/button.tsx';
import { Logo } from '../../src/dashboard/kit/logo.tsx';
import { nextTheme, useSettings } from '../../src/dashboard/settings.ts';
import shell from '../../src/dashboard/shell/shell.module.css';
import demo from '../../demo/page/page.module.css';
import { presets } from './presets/index.ts';
import type { State } from './state.ts';
import style from './playground.module.css';

const themeIcons = { light: 'sun', dark: 'moon', system: 'half' } as const;

/** Each example with the texts of its preset. */
const examples = presets.map(({ title, tables, rules, requests }) => ({
  title,
  requests: requests.map((request) => ({ ...request, tables, rules })),
}));
const all = examples.flatMap(({ requests }) => requests);

export function Header({ show }: { readonly show: (state: State) => void }) {
  const { theme } = useSettings();
  return (
    <>
      <a className={shell['skip']} href="#answer" onClick={skip}>
        Skip to the response
      </a>
      <header className={`${shell['top']} ${demo['top']}`}>
        <a className={shell['brand']} href="../">
          <Logo />
          <span>Sluice</span>
        </a>
        <select
          id="examples"
          className={style['examples']}
          aria-label="Examples"
          value=""
          onChange={({ target }) => {
            const example = all[Number(target.value)];
            if (example) {
              const { tables, rules, list, query } = example;
              show({ tables, rules, list, query });
            }
          }}
        >
          <option value="">Try an example …</option>
          {examples.map(({ title, requests }) => (
            <optgroup key={title} label={title}>
              {requests.map((request) => (
                <option key={request.title} value={all.indexOf(request)}>
                  {request.title}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        <div className={`${shell['tools']} ${demo['tools']}`}>
          <IconButton label="Switch theme" icon={themeIcons[theme]} onClick={nextTheme} />
        </div>
      </header>
    </>
  );
}

/** The fragment of the address is the state: the focus moves without it. */
function skip(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('answer')?.focus();
}
