/** `sluice board`: serves a board for the queues of the configured datastores until it is stopped. */

import { AuthConfigurationError, createAuthMiddleware } from '../../auth/index.ts';
import { TimeoutError, withTimeout } from '../../lib/index.ts';
import { UsageError, sentence } from '../command.ts';
import type { Command, CommandOutput, ExitCode } from '../command.ts';
import { Boot } from './boot.ts';
import type { BootLog } from './boot.ts';
import { isAttended, openBrowser } from './browser.ts';
import { describeError } from './describe-error.ts';
import { usage } from './help.ts';
import { BoardHistory } from './history.ts';
import { openBoards } from './open-boards.ts';
import { BoardServer } from './server.ts';
import { boardSettings } from './settings/settings.ts';
import type { BoardSettings } from './settings/settings.ts';
import { gateResponse, statusResponse } from './status.ts';
import { sourcesOf } from './sources/index.ts';
import type { ConnectedSource, Source } from './sources/source.ts';

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
