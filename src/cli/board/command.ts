/** `sluice board`: serves a board for the queues of the configured datastores until it is stopped. */

import { AuthConfigurationError, createAuthMiddleware } from '../../auth/index.ts';
import { TimeoutError, withTimeout } from '../../lib/index.ts';
import { UsageError, sentence } from '../command.ts';
import type { Command, CommandOutput, ExitCode } from '../command.ts';
import { Boot, type BootLog } from './boot.ts';
import { describeError } from './describe-error.ts';
import { BoardHistory } from './history.ts';
import { openBoards } from './open-boards.ts';
import { BoardServer } from './server.ts';
import { boardSettings, type BoardSettings } from './settings/settings.ts';
import { gateResponse, statusResponse } from './status.ts';
import { sourcesOf } from './sources/index.ts';
import type { ConnectedSource, Source } from './sources/source.ts';
import { spawn } from 'node:child_process';

export const usage = `Usage: sluice board [options]

Serves a board for job queues of BullMQ, Bull and pg-boss.

Datastores (default: Redis on this machine; several may be given)
  -r, --redis <url>        BullMQ and Bull: redis://, rediss://, a socket; --kv
  --sentinel <host:port,...> --sentinel-name <name> --sentinel-password <word>
  --cluster <host:port,...>  a Redis Cluster
  --kv-username, --kv-password, --kv-db <n>   with sentinels and clusters
  --postgres <url>         BullMQ on PostgreSQL; --postgres-schema <name>
  --pgq <url>              pg-boss; --pgq-schema <name>, --pgq-queues <a,b>,
                           --pgq-path </pgq> beside another board
Queues
  --prefix <a,b>           key prefixes of BullMQ and Bull (default: bull)
  --queues <a,b>           only these; --scan-interval <s>: look for new ones
                           every so often (default: 10; 0: once)
Server
  -p, --port <n>           default 3000; --host <address> default 127.0.0.1
  --base-path </path>      --public-url <url> in front of a proxy
  --trust-proxy <n>        number of proxies in front (default: 0)
  --read-only              no changes; --board-title <text>
Who may use it (one of three; required for a --host beyond this machine)
  --user <name> --password <word>
  --token <a,b>            --token-header <name>
  --oidc-url <url> --oidc-realm <name>, or --oidc-issuer <url>; with
  --oidc-client-id, --oidc-client-secret, --oidc-roles <a,b>, --oidc-bearer-only
  --session-secret <word>  keeps sessions over restarts
  --insecure-no-auth       everybody, on purpose
Further
  --history                record metrics; --history-retention-days <n> (90)
  --config <file>          default: sluice.config.{mjs,js,cjs,json}
  --no-open                no browser; --browser <command>: another one
  --no-retry               fail when a datastore is away, instead of waiting
  -h, --help  -v, --version

Each flag is also a variable, such as BOARD_PORT; secrets belong there.
Exit codes: 0 stopped, 1 failure, 2 wrong usage. More: docs/command-line.md
`;

export const boardCommand: Command = { usage, run };

/** Milliseconds that each resource has to close. */
const closeGrace = 3_000;

async function run(
  args: readonly string[],
  output: CommandOutput,
  signal: AbortSignal,
): Promise<ExitCode> {
  const log: BootLog = {
    info: (line) => output.out(`${line}\n`),
    warn: (line) => output.err(`sluice board: ${line}\n`),
  };
  const settings = await boardSettings(args, process.env, process.cwd(), log.warn);
  const stopping = new AbortController();
  const stop = AbortSignal.any([signal, stopping.signal]);
  const boots: Boot[] = [];
  const server = new BoardServer({
    ...pathsOf(settings),
    gate(path, request) {
      const all = boots.map(({ status }) => status);
      if (path === '/api/status') return statusResponse(all);
      const board = boards.boardAt(path);
      const needed = all.filter((status) => status.board === board);
      if (needed.every(({ state }) => state === 'ready')) return undefined;
      return gateResponse(needed, request.headers.accept);
    },
  });
  const sources = sourcesOf(settings, log.warn);
  const histories = await historiesOf(settings, sources, log.warn);
  const boards = asUsage(() =>
    openBoards(settings, {
      serverAdapter: server,
      auth: authOf(settings),
      warn: log.warn,
      sources: sources.map(({ name }) => name),
      histories,
    }),
  );
  await Promise.all(sources.map((source) => source.load()));
  const port = await listen(server, settings);
  announce(settings, port, log);
  for (const source of sources) {
    const sync = source.board === 'kvq' ? boards.sync : undefined;
    const { scanInterval } = settings.queues;
    const history = histories[source.board];
    const isKeeper = sources.find(({ board }) => board === source.board) === source;
    const onReady = (connected: ConnectedSource): void => {
      if (!history || !isKeeper) return;
      history.start(connected.openHistory(history.keep), sync && (() => sync.queues));
    };
    const { retry } = settings;
    boots.push(new Boot(source, { sync, retry, scanInterval, log, signal: stop, onReady }));
  }
  try {
    await Promise.race([
      Promise.all(boots.map((boot) => boot.run())).then(() => aborted(stop)),
      aborted(stop),
    ]);
    return 0;
  } finally {
    stopping.abort();
    server.refuse();
    await within(boards.close());
    server.end();
    await Promise.all(Object.values(histories).map((history) => within(history.close())));
    await Promise.all([boards.sync, ...boots].map((each) => within(each?.close())));
    // Handles that a datastore keeps open while it is away must not keep the process.
    setTimeout(() => process.exit(), closeGrace).unref();
  }
}

type Histories = Partial<Record<Source['board'], BoardHistory>>;

/** A history for each board; the first datastore of a board keeps it. */
async function historiesOf(
  { history, readOnly }: BoardSettings,
  sources: readonly Source[],
  warn: (line: string) => void,
): Promise<Histories> {
  if (!history) return {};
  const metrics = await import('../../metrics/index.ts');
  const engines = new Set(sources.map(({ board }) => board));
  return Object.fromEntries(
    [...engines].map((engine) => [engine, new BoardHistory(metrics, history, readOnly, warn)]),
  );
}

/** Options that the boards and the authentication refuse come from the settings. */
function asUsage<Result>(open: () => Result, place = ''): Result {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof AuthConfigurationError)) throw error;
    throw new UsageError(sentence(`${place}${error.message}`), { cause: error });
  }
}

function authOf({ access, basePath }: BoardSettings) {
  if (typeof access === 'string') return false;
  return asUsage(() => createAuthMiddleware(access.options, { basePath }), 'authentication: ');
}

function pathsOf({ access, basePath, publicUrl }: BoardSettings) {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  const publicPath = url?.pathname.replace(/\/+$/, '') ?? '';
  return {
    basePath,
    externalPath: publicPath === '' ? basePath : publicPath,
    localHosts: access === 'this machine' ? (url ? [url.host] : []) : undefined,
  };
}

async function listen(server: BoardServer, { port, host }: BoardSettings): Promise<number> {
  try {
    return await server.listen(port, host);
  } catch (error) {
    const code = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    if (code === 'EADDRINUSE') {
      throw new Error(`port ${port} is taken: --port chooses another one, 0 a free one.`, {
        cause: error,
      });
    }
    throw new Error(`cannot listen on port ${port} of ${host}: ${describeError(error)}`, {
      cause: error,
    });
  }
}

function announce(settings: BoardSettings, port: number, { info }: BootLog): void {
  const { host, basePath, publicUrl, access } = settings;
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const url = `http://${name}:${port}${basePath}/`;
  info(`Sluice board: ${url}`);
  if (publicUrl !== undefined) info(`  behind a proxy: ${publicUrl}`);
  if (access === 'everybody') info('Everybody who reaches it may use it (--insecure-no-auth).');
  if (!settings.open || !isAttended(process.env)) return;
  openBrowser(url, settings.browser, () => info('No browser could be started.'));
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Waits for a resource to close, within its grace. */
async function within(closing: Promise<unknown> | undefined): Promise<void> {
  try {
    await withTimeout(Promise.resolve(closing), closeGrace);
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
  }
}

/** The program of each system that opens an address. */
const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Whether somebody sits in front of the command. */
function isAttended(environment: NodeJS.ProcessEnv): boolean {
  return process.stdout.isTTY && !environment['CI'];
}

/**
 * Opens an address, without a shell.
 *
 * @param command program and arguments; undefined for the browser of the system
 * @param failed called when the program cannot be started
 */
function openBrowser(
  url: string,
  command: readonly string[] | undefined,
  failed: () => void,
): void {
  const [program = '', ...args] = command ?? openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', failed);
  child.unref();
}
