/** The choice between a form and its JSON. */

import { t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import style from './forms.module.css';
import type { Mode } from './use-form.ts';

export function Modes({
  mode,
  choose,
}: {
  readonly mode: Mode;
  readonly choose: (mode: Mode) => void;
}) {
  return (
    <div className={style['modes']} role="group" aria-label={t('form.modes')}>
      {(['form', 'json'] as const).map((each) => (
        <Button key={each} look="quiet" aria-pressed={mode === each} onClick={() => choose(each)}>
          {t(`form.${each}`)}
        </Button>
      ))}
    </div>
  );
}
