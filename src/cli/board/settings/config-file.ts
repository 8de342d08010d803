/** The config file of `sluice board`: found, loaded, and checked against a table. */

import { existsSync, readFileSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkOptions, isRecord, type OptionTableOf } from '../../../lib/index.ts';
import * as option from '../../../lib/option-rows.ts';
import type { AuthOptions } from '../../../auth/index.ts';
import type { BoardOptions, QueueOptions } from '../../../board/index.ts';
import { checkQueueOptions } from '../../../board/kvq/index.ts';
import { UsageError, sentence } from '../../command.ts';

/** Settings of recording, as `history` of a config file. */
export interface HistoryConfig {
  readonly enabled?: boolean;
  readonly record?: boolean;
  readonly prefix?: string;
  readonly retentionDays?: number;
  readonly retention?: {
    readonly minutes?: number;
    readonly hours?: number;
    readonly days?: number;
  };
  readonly latency?: boolean;
  readonly snapshotIntervalMs?: number;
}

type Strategy<Name extends AuthOptions['strategy']> = Partial<
  Omit<Extract<AuthOptions, { strategy: Name }>, 'strategy'>
>;

/** The default export of a config file. */
export interface BoardConfigFile {
  /** A URL, options of ioredis, or `{ cluster: [nodes], ...options of its Cluster }`. */
  readonly kv?: string | Readonly<Record<string, unknown>>;
  /** A URL, or settings of `pg` with `schema`. */
  readonly postgres?: string | Readonly<Record<string, unknown>>;
  /** A URL, or settings of `pg` with `schema`, `queues`, `path` and the other options of a `pgq` board. */
  readonly pgq?: string | Readonly<Record<string, unknown>>;
  readonly prefix?: string | readonly string[];
  /** Names, instead of discovery; or options of queues by name. */
  readonly queues?: readonly string[] | Readonly<Record<string, QueueOptions>>;
  readonly scanInterval?: number;
  readonly port?: number;
  readonly host?: string;
  readonly basePath?: string;
  readonly publicUrl?: string;
  readonly readOnly?: boolean;
  readonly user?: string;
  readonly password?: string;
  readonly token?: Strategy<'token'>;
  readonly oidc?: Strategy<'oidc'>;
  readonly insecureNoAuth?: boolean;
  readonly ui?: BoardOptions['ui'];
  /** Options of every board, such as hooks. */
  readonly options?: Omit<BoardOptions, 'ui' | 'readOnly'>;
  readonly history?: boolean | HistoryConfig;
  readonly open?: boolean;
  readonly browser?: string;
  readonly noRetry?: boolean;
}

const historyTable = {
  enabled: option.boolean,
  record: option.boolean,
  prefix: option.matching('1 to 28 letters, digits and .:_-', /^[\w.:-]{1,28}$/),
  retentionDays: option.wholeNumber(1, 3_650),
  retention: option.objectOf({
    minutes: option.wholeNumber(1),
    hours: option.wholeNumber(1),
    days: option.wholeNumber(1),
  }),
  latency: option.boolean,
  snapshotIntervalMs: option.wholeNumber(1_000, 2 ** 31 - 1),
} satisfies OptionTableOf<HistoryConfig>;

const urlOrObject = option.either(option.nonEmptyString, option.plainObject);
const names = option.listOf(option.nonEmptyString);

const fileTable = {
  kv: urlOrObject,
  postgres: urlOrObject,
  pgq: urlOrObject,
  prefix: option.either(option.nonEmptyString, names),
  queues: option.either(names, option.recordOf(option.plainObject)),
  scanInterval: option.wholeNumber(0, 86_400),
  port: option.wholeNumber(0, 65_535),
  host: option.nonEmptyString,
  basePath: option.string,
  publicUrl: option.nonEmptyString,
  readOnly: option.boolean,
  user: option.nonEmptyString,
  password: option.nonEmptyString,
  token: option.plainObject,
  oidc: option.plainObject,
  insecureNoAuth: option.boolean,
  ui: option.plainObject,
  uiConfig: option.removed('is called "ui"'),
  options: option.plainObject,
  history: option.either(option.boolean, option.objectOf(historyTable)),
  open: option.boolean,
  browser: option.nonEmptyString,
  noRetry: option.boolean,
} satisfies OptionTableOf<BoardConfigFile, 'uiConfig'>;

export interface LoadedConfig {
  /** Its name without folders, for messages; undefined when there is none. */
  readonly file?: string;
  readonly config: BoardConfigFile;
}

/** The files that are looked for in the working directory, in this order. */
const usualNames = ['mjs', 'js', 'cjs', 'json'].map((extension) => `sluice.config.${extension}`);

/**
 * Loads the file of `--config`, or the first of the usual files in a folder.
 *
 * @throws {UsageError} when the file is missing, cannot be loaded, or does not export an object of known options
 */
export async function loadConfig(given: string | undefined, folder: string): Promise<LoadedConfig> {
  const usual = usualNames.map((name) => resolve(folder, name)).find((path) => existsSync(path));
  const path = given === undefined ? usual : resolve(folder, given);
  if (path === undefined) return { config: {} };
  if (!existsSync(path)) throw new UsageError('the file of --config does not exist.');
  const file = basename(path);
  const exported = await load(path, file);
  if (!isRecord(exported)) throw new UsageError(`${file} must export an object.`);
  checkOptions(
    file,
    exported,
    fileTable,
    (message) => new UsageError(sentence(`${file}: ${message}`)),
  );
  const { queues } = exported as BoardConfigFile;
  if (isRecord(queues)) {
    for (const [name, options] of Object.entries(queues)) {
      checkQueueOptions(
        'a queue',
        options,
        (message) => new UsageError(sentence(`${file}: queues.${name}: ${message}`)),
      );
    }
  }
  // The values have been checked against the table.
  return { file, config: exported };
}

async function load(path: string, file: string): Promise<unknown> {
  try {
    if (extname(path) === '.json') return JSON.parse(readFileSync(path, 'utf8')) as unknown;
    const loaded: unknown = await import(pathToFileURL(path).href);
    return isRecord(loaded) && 'default' in loaded ? loaded['default'] : undefined;
  } catch (error) {
    // A syntax error of JSON quotes the text, which may be a password.
    const reason =
      extname(path) === '.json' || !(error instanceof Error)
        ? 'its text is not valid'
        : error.message;
    throw new UsageError(`${file} cannot be loaded: ${reason}.`, { cause: error });
  }
}
