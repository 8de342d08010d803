/** The person's own settings. */

import { languages, t, wantedLanguage } from '../i18n/index.ts';
import { Dialog } from '../kit/dialogs/dialog.tsx';
import { Pick } from '../kit/filter.tsx';
import { change, useSettings } from '../settings.ts';
import { uiConfig } from '../config.ts';
import style from './settings.module.css';

/** Whether the person may choose how often the dashboard reads. */
const asksInterval =
  uiConfig.pollingInterval?.forceInterval === undefined &&
  uiConfig.pollingInterval?.showSetting !== false;

export function SettingsDialog({ close }: { readonly close: () => void }) {
  const { theme, density, zone, sidebar, singleKeys, interval } = useSettings();
  return (
    <Dialog title={t('settings.title')} close={close}>
      <div className={style['settings']}>
        <Pick
          label={t('settings.themeLabel')}
          value={theme}
          options={{ system: t('theme.system'), light: t('theme.light'), dark: t('theme.dark') }}
          onChange={(theme) => change({ theme })}
        />
        <Pick
          label={t('settings.density')}
          value={density}
          options={{ default: t('density.default'), dense: t('density.dense') }}
          onChange={(density) => change({ density })}
        />
        <Pick
          label={t('settings.zone')}
          value={zone}
          options={{
            local: `${t('zone.local')} (${Intl.DateTimeFormat().resolvedOptions().timeZone})`,
            utc: t('zone.utc'),
          }}
          onChange={(zone) => change({ zone })}
        />
        <Pick
          label={t('settings.language')}
          value={wantedLanguage()}
          options={languages}
          onChange={(locale) => change({ locale })}
        />
        {asksInterval && (
          <Pick
            label={t('settings.interval')}
            value={String(interval) as '5'}
            options={{ '2': '2 s', '5': '5 s', '15': '15 s', '60': '60 s' } as { '5': string }}
            onChange={(seconds) => change({ interval: Number(seconds) })}
          />
        )}
        <label className="pick">
          <span>{t('sidebar.toggle')}</span>
          <input
            type="checkbox"
            checked={sidebar}
            onChange={({ target }) => change({ sidebar: target.checked })}
          />
        </label>
        <label className="pick">
          <span>{t('keys.single')}</span>
          <input
            type="checkbox"
            checked={singleKeys}
            onChange={({ target }) => change({ singleKeys: target.checked })}
          />
        </label>
      </div>
    </Dialog>
  );
}
