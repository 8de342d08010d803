/** The settings of `sluice board`, complete and checked: flags over environment over config file over defaults. */

import { normalizeBasePath } from '../../../lib/index.ts';
import type { AuthOptions } from '../../../auth/index.ts';
import type { BoardOptions, QueueOptions } from '../../../board/index.ts';
import { UsageError } from '../../command.ts';
import { authSettings } from './auth-settings.ts';
import { loadConfig, type HistoryConfig } from './config-file.ts';
import type { Layers } from './layers.ts';
import { isLoopback } from './loopback.ts';
import { readSettings } from './read-settings.ts';
import { sourceSettings, type SourceSettings } from './source-settings.ts';

/** Who may use the board: authentication, everybody on purpose, or everybody on this machine. */
export type Access = { readonly options: AuthOptions } | 'everybody' | 'this machine';

/** Where to find queues on Redis and in BullMQ's tables. */
export interface QueueSettings {
  readonly prefixes: readonly string[];
  /** Names without discovery. */
  readonly names: readonly string[] | undefined;
  /** Whether names without a queue are shown, as empty ones: with several datastores it is not known where they will be. */
  readonly showsAbsent: boolean;
  readonly optionsOf: (name: string) => QueueOptions | undefined;
  /** Seconds between two discoveries; 0 is one only. */
  readonly scanInterval: number;
}

/** All settings. */
export interface BoardSettings {
  readonly sources: SourceSettings;
  readonly queues: QueueSettings;
  readonly host: string;
  readonly port: number;
  readonly basePath: string;
  readonly publicUrl: string | undefined;
  readonly access: Access;
  readonly readOnly: boolean;
  readonly options: BoardOptions;
  /** Undefined without metrics history. */
  readonly history: HistoryConfig | undefined;
  readonly open: boolean;
  /** Command of the browser and its arguments; undefined for that of the system. */
  readonly browser: readonly string[] | undefined;
  readonly retry: boolean;
}

/**
 * Reads and checks all settings.
 *
 * @throws {UsageError} when a setting is unknown, has a wrong type, or contradicts another
 */
export async function boardSettings(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  folder: string,
  warn: (line: string) => void,
): Promise<BoardSettings> {
  const given = readSettings(args, environment, warn);
  const { file, config } = await loadConfig(given.values.config, folder);
  const layers: Layers = { ...given, config, keyName: (key) => `"${key}" of ${file}` };
  const { values } = given;
  const host = values.host ?? config.host ?? '127.0.0.1';
  const basePath = pathOf(layers);
  const publicUrl = publicUrlOf(layers);
  const readOnly = values.readOnly ?? config.readOnly ?? false;
  const sources = sourceSettings(layers);
  const history = historyOf(layers);
  if (sources.postgres || sources.pgq) requireTablePrefix(history, layers);
  return {
    sources,
    queues: { ...queueSettings(layers), showsAbsent: !(sources.redis && sources.postgres) },
    host,
    port: values.port ?? config.port ?? 3000,
    basePath,
    publicUrl,
    access: accessOf(layers, host, publicUrl, environment),
    readOnly,
    options: boardOptions(layers),
    history,
    open: values.open ?? config.open ?? true,
    browser: browserOf(values.browser ?? config.browser ?? environment['BROWSER']),
    retry: !(values.noRetry ?? config.noRetry ?? false),
  };
}

function pathOf({ values, config, nameOf, keyName }: Layers): string {
  const basePath = normalizeBasePath(values.basePath ?? config.basePath ?? '');
  if (basePath !== undefined) return basePath;
  const name = values.basePath === undefined ? keyName('basePath') : nameOf('basePath');
  throw new UsageError(`${name} must be a path such as /admin/queues.`);
}

function publicUrlOf({ values, config, nameOf, keyName }: Layers): string | undefined {
  const url = values.publicUrl ?? config.publicUrl;
  if (url === undefined || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) {
    return url;
  }
  const name = values.publicUrl === undefined ? keyName('publicUrl') : nameOf('publicUrl');
  throw new UsageError(`${name} must be a URL such as https://tools.example.com/queues.`);
}

function queueSettings({
  values,
  config,
  nameOf,
  keyName,
}: Layers): Omit<QueueSettings, 'showsAbsent'> {
  const prefixes = values.prefix ?? [config.prefix ?? 'bull'].flat();
  if (prefixes.length === 0 || prefixes.some((prefix) => /[*?[\]\\]/.test(prefix))) {
    const name = values.prefix === undefined ? keyName('prefix') : nameOf('prefix');
    throw new UsageError(`${name} must be a list of prefixes without wildcards.`);
  }
  const inFile = config.queues;
  const listed = Array.isArray(inFile) ? (inFile as readonly string[]) : undefined;
  const options = listed ? {} : (inFile as Readonly<Record<string, QueueOptions>> | undefined);
  return {
    prefixes: [...new Set(prefixes)],
    names: values.queues ?? listed,
    optionsOf: (name) => (options && Object.hasOwn(options, name) ? options[name] : undefined),
    scanInterval: values.scanInterval ?? config.scanInterval ?? 10,
  };
}

function accessOf(
  layers: Layers,
  host: string,
  publicUrl: string | undefined,
  environment: NodeJS.ProcessEnv,
): Access {
  const { values, config } = layers;
  const options = authSettings(layers, publicUrl);
  const isOpen = values.insecureNoAuth ?? config.insecureNoAuth ?? false;
  if (options !== undefined) {
    if (isOpen) {
      throw new UsageError('--insecure-no-auth contradicts the authentication that is set.');
    }
    return { options };
  }
  if (isOpen) return 'everybody';
  const isLocal = isLoopback(host);
  if (isLocal && environment['NODE_ENV'] !== 'production') return 'this machine';
  const why = isLocal
    ? 'with NODE_ENV=production a board needs authentication'
    : `${layers.nameOf('host')} reaches beyond this machine, where everybody could change jobs`;
  throw new UsageError(
    `${why}: set --token, --user and --password, or --oidc-url; or --insecure-no-auth to serve it open.`,
  );
}

function boardOptions({ values, config }: Layers): BoardOptions {
  const ui = {
    ...config.ui,
    ...(values.boardTitle !== undefined && { boardTitle: values.boardTitle }),
  };
  return {
    ...config.options,
    ...(Object.keys(ui).length > 0 && { ui }),
  };
}

function historyOf({ values, config, nameOf }: Layers): HistoryConfig | undefined {
  const { history } = config;
  const settings = typeof history === 'object' ? history : {};
  const inFile = typeof history === 'object' ? (history.enabled ?? true) : history;
  const retentionDays = values.historyRetentionDays ?? settings.retentionDays;
  if (!(values.history ?? inFile ?? false)) {
    if (values.historyRetentionDays === undefined) return undefined;
    throw new UsageError(`${nameOf('historyRetentionDays')} needs --history.`);
  }
  return { ...settings, ...(retentionDays !== undefined && { retentionDays }) };
}

/** Tables begin with the prefix. */
function requireTablePrefix(history: HistoryConfig | undefined, { keyName }: Layers): void {
  if (history?.prefix === undefined || /^[A-Za-z_]\w*$/.test(history.prefix)) return;
  throw new UsageError(
    `${keyName('history.prefix')} must be letters, digits and underscores in PostgreSQL, and begin with no digit.`,
  );
}

function browserOf(command: string | undefined): readonly string[] | undefined {
  const words = command?.split(/\s+/).filter((word) => word !== '');
  return words && words.length > 0 ? words : undefined;
}
