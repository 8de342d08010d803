/** The reason of a pause, which the queue shows while it is paused; with it come the texts of pauses. */

import { addTexts, t } from '../i18n/index.ts';
import texts from '../i18n/messages/en/pause.json';
import { TextField } from '../kit/dialogs/form.tsx';

addTexts(texts);

/** Characters of a reason, as the board takes them. */
const longest = 200;

export function ReasonField({
  reason,
  onChange,
  autoFocus = false,
}: {
  readonly reason: string;
  readonly onChange: (reason: string) => void;
  readonly autoFocus?: boolean;
}) {
  return (
    <TextField
      label={t('pause.reason')}
      hint={t('pause.reasonHint')}
      value={reason}
      maxLength={longest}
      autoFocus={autoFocus}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
