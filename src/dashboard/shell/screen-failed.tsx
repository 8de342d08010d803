/** A screen that could not be shown. */

import { t } from '../i18n/index.ts';
import { Button } from '../kit/button.tsx';
import { Empty } from '../kit/panel.tsx';

export function ScreenFailed({ error }: { readonly error: unknown }) {
  return (
    <Empty icon="warn" title={t('screen.failed')}>
      <code>{error instanceof Error ? error.message : ''}</code>
      <Button icon="retry" onClick={() => location.reload()}>
        {t('error.retry')}
      </Button>
    </Empty>
  );
}
