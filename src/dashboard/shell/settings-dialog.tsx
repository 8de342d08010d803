/** The person's own settings. */

import type { ReactNode } from 'react';

import { languages, t, wantedLanguage } from '../i18n/index.ts';
import { Dialog } from '../kit/dialog.tsx';
import { change, useSettings } from '../settings.ts';
import type { Settings } from '../settings.ts';
import { uiConfig } from '../config.ts';
import style from './settings.module.css';

function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: Readonly<Record<Value, string>>;
  readonly onChange: (value: Value) => void;
}) {
  return (
    <Line label={label}>
      <select value={value} onChange={({ target }) => onChange(target.value as Value)}>
        {Object.entries<string>(options).map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </Line>
  );
}

function Line({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <label className={style['line']}>
      <span>{label}</span>
      {children}
    </label>
  );
}

/** Whether the person may choose how often the dashboard reads. */
const asksInterval =
  uiConfig.pollingInterval?.forceInterval === undefined &&
  uiConfig.pollingInterval?.showSetting !== false;

export function SettingsDialog({ close }: { readonly close: () => void }) {
  const { theme, density, zone, singleKeys, interval } = useSettings();
  const set = (changes: Partial<Settings>) => change(changes);
  return (
    <Dialog title={t('settings.title')} close={close}>
      <Choice
        label={t('settings.themeLabel')}
        value={theme}
        options={{ system: t('theme.system'), light: t('theme.light'), dark: t('theme.dark') }}
        onChange={(theme) => set({ theme })}
      />
      <Choice
        label={t('settings.density')}
        value={density}
        options={{ default: t('density.default'), dense: t('density.dense') }}
        onChange={(density) => set({ density })}
      />
      <Choice
        label={t('settings.zone')}
        value={zone}
        options={{
          local: `${t('zone.local')} (${Intl.DateTimeFormat().resolvedOptions().timeZone})`,
          utc: t('zone.utc'),
        }}
        onChange={(zone) => set({ zone })}
      />
      <Choice
        label={t('settings.language')}
        value={wantedLanguage()}
        options={languages}
        onChange={(locale) => set({ locale })}
      />
      {asksInterval && (
        <Choice
          label={t('settings.interval')}
          value={String(interval) as '5'}
          options={{ '2': '2 s', '5': '5 s', '15': '15 s', '60': '60 s' } as { '5': string }}
          onChange={(seconds) => set({ interval: Number(seconds) })}
        />
      )}
      <label className={style['line']}>
        <span>{t('keys.single')}</span>
        <input
          type="checkbox"
          checked={singleKeys}
          onChange={({ target }) => set({ singleKeys: target.checked })}
        />
      </label>
    </Dialog>
  );
}
