/** Reads the settings of `sluice board` from flags and the environment; a flag replaces a variable. */

import { parseArgs } from 'node:util';
import { nearestName } from '../../../lib/index.ts';
import { UsageError } from '../../command.ts';
import { settingsTable, type SettingName, type SettingValues } from './settings-table.ts';

/** Where a value came from; a layer replaces the layers after it. */
export type Layer = 'flag' | 'environment' | 'file';

/** The settings that flags and the environment give. */
export interface GivenSettings {
  readonly values: SettingValues;
  /** Where a setting came from; undefined when neither gives it. */
  layerOf(name: SettingName): Layer | undefined;
  /** The name under which the user gave a setting, such as `--port` or `BOARD_PORT`; its flag if it is not given. */
  nameOf(name: SettingName): string;
}

/** Variables with this prefix are settings. */
const prefix = 'BOARD_';

const settings = Object.entries(settingsTable) as [
  SettingName,
  (typeof settingsTable)[SettingName],
][];
const byFlag = new Map(settings.flatMap(([name, row]) => row.flags.map((flag) => [flag, name])));
const byVariable = new Map(settings.map(([name, { env }]) => [`${prefix}${env}`, name]));

/** Every flag, without the negated ones. */
export const flags: readonly string[] = [...byFlag.keys()];

/**
 * Reads flags and variables.
 *
 * @param warn receives a line for a variable that is probably misspelt
 * @throws {UsageError} when a flag is unknown, lacks its value, or a value has the wrong type
 */
export function readSettings(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  warn: (line: string) => void,
): GivenSettings {
  const values: Partial<Record<SettingName, unknown>> = {};
  const origins = new Map<SettingName, { layer: Layer; name: string }>();
  for (const [variable, text] of Object.entries(environment)) {
    const name = byVariable.get(variable);
    if (name === undefined) {
      const near = variable.startsWith(prefix) && nearestName(variable, byVariable.keys());
      if (near) warn(`${variable} is not a setting; did you mean ${near}?`);
      continue;
    }
    // Compose files and shells pass what is not set as an empty variable.
    if (text === undefined || (text === '' && settingsTable[name].read.takesValue)) continue;
    values[name] = parsed(name, variable, text);
    origins.set(name, { layer: 'environment', name: variable });
  }
  for (const { name, flag, value } of readFlags(args)) {
    const before = origins.get(name)?.layer === 'flag' ? values[name] : undefined;
    const isRepeated = Array.isArray(before) && Array.isArray(value);
    values[name] = isRepeated ? [...(before as unknown[]), ...(value as unknown[])] : value;
    origins.set(name, { layer: 'flag', name: flag });
  }
  return {
    // Each value was read by the row of its setting.
    values: values as SettingValues,
    layerOf: (name) => origins.get(name)?.layer,
    nameOf: (name) => origins.get(name)?.name ?? settingsTable[name].flags[0],
  };
}

function parsed(name: SettingName, shown: string, text: string): unknown {
  const { read } = settingsTable[name];
  const value = read.parse(text);
  if (value === undefined) throw new UsageError(`${shown} must be ${read.expected}.`);
  return value;
}

interface GivenFlag {
  readonly name: SettingName;
  readonly flag: string;
  readonly value: unknown;
}

function readFlags(args: readonly string[]): GivenFlag[] {
  const options = Object.fromEntries(
    flags
      .filter((flag) => flag.startsWith('--'))
      .map((flag) => {
        const name = byFlag.get(flag) as SettingName;
        const { read, flags: all } = settingsTable[name];
        const short = all.find((each) => /^-\w$/.test(each))?.slice(1);
        const type = read.takesValue ? ('string' as const) : ('boolean' as const);
        return [flag.slice(2), { type, ...(short && flag === all[0] && { short }) }];
      }),
  );
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens.map((token) => {
    if (token.kind === 'positional') {
      throw new UsageError('this command takes flags only; a value follows its flag.');
    }
    if (token.kind === 'option-terminator') throw new UsageError('"--" has no meaning here.');
    return readFlag(token.rawName, token.value, token.inlineValue === true);
  });
}

function readFlag(flag: string, text: string | undefined, isInline: boolean): GivenFlag {
  const name = byFlag.get(flag);
  if (name === undefined) return readNegated(flag, text);
  if (!settingsTable[name].read.takesValue) {
    return { name, flag, value: text === undefined ? true : parsed(name, flag, text) };
  }
  if (text === undefined || (!isInline && /^-\D/.test(text))) {
    throw new UsageError(
      `${flag} needs a value; one that begins with a dash is written as ${flag}=...`,
    );
  }
  return { name, flag, value: parsed(name, flag, text) };
}

/** `--no-open`, and so for every flag without a value. */
function readNegated(flag: string, text: string | undefined): GivenFlag {
  const name = flag.startsWith('--no-') ? byFlag.get(`--${flag.slice(5)}`) : undefined;
  if (name !== undefined && text === undefined && !settingsTable[name].read.takesValue) {
    return { name, flag, value: false };
  }
  const near = nearestName(flag, [...flags, '--no-open', '--help', '--version']);
  // The text after an unknown flag may be a secret, the flag itself hardly.
  throw new UsageError(
    `unknown flag ${flag}${near === undefined ? '' : `; did you mean ${near}`}${near === undefined ? '.' : '?'}`,
  );
}
