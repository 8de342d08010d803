/** Flags, environment and config file, as the parts of the settings read them. */

import type { BoardConfigFile } from './config-file.ts';
import type { GivenSettings } from './read-settings.ts';
import type { SettingName } from './settings-table.ts';

/** All layers below the defaults. */
export interface Layers extends GivenSettings {
  readonly config: BoardConfigFile;
  /** The name of a key of the config file in messages. */
  keyName(key: string): string;
}

/** The settings among these that a flag or a variable gives. */
export function givenAmong({ values }: Layers, names: readonly SettingName[]): SettingName[] {
  return names.filter((name) => values[name] !== undefined);
}
