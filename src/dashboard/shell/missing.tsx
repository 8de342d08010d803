/** A path that is not a screen. */

import { Link } from '@tanstack/react-router';

import { t } from '../i18n/index.ts';
import { Empty } from '../kit/panel.tsx';

export function Missing() {
  return (
    <main>
      <Empty title={t('missing.title')}>
        <Link to="/">{t('missing.back')}</Link>
      </Empty>
    </main>
  );
}
