/** How the request went: status, times of both databases, and whether they agree. */

import { Icon } from '../../src/dashboard/kit/icon.tsx';
import type { Address } from './address.ts';
import { t } from './i18n/index.ts';
import { databaseName } from './names.ts';
import type { Sent } from './use-explanation.ts';
import style from './page.module.css';

function Badge({ good, text }: { readonly good: boolean; readonly text: string }) {
  return (
    <span className={style['badge']} data-tone={good ? 'good' : 'bad'}>
      <Icon name={good ? 'tick' : 'cross'} size={12} />
      {text}
    </span>
  );
}

export function Status({
  sent: { explanation, compared, problem, loading },
  address: { database },
  other,
}: {
  readonly sent: Sent;
  readonly address: Address;
  readonly other: string;
}) {
  const same = compared && JSON.stringify(compared.answer) === JSON.stringify(explanation?.answer);
  return (
    <p id="status" className={style['status']} role="status" data-loading={loading || undefined}>
      {problem !== undefined && <Badge good={false} text={problem} />}
      {explanation && (
        <>
          <Badge
            good={explanation.status === 200}
            text={
              explanation.status === 200
                ? '200 OK'
                : `${explanation.status} ${explanation.answer.code ?? ''}`
            }
          />
          <span>
            {databaseName(database)} {explanation.ms.toFixed(1)} ms
          </span>
        </>
      )}
      {compared && (
        <>
          <span>
            {databaseName(other)} {compared.ms.toFixed(1)} ms
          </span>
          <Badge good={same === true} text={t(same ? 'demo.same' : 'demo.differ')} />
        </>
      )}
    </p>
  );
}
