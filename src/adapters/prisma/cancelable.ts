/**
 * Ends statements of Prisma clients on the server. The client does not tell which connection runs a statement; its driver
 * adapter, which chooses the connection, learns the request of a statement from the asynchronous context.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { type Stop, families } from '../../relational/index.ts';
import { configurationError } from '../../schema/index.ts';
import { familyNamedBy } from './client.ts';
import { type AdapterFactory, overlaid } from './driver-adapter.ts';
import { driverAdapterOf, poolBehind, replacePool } from './foreign.ts';

/** The stop of the request whose statement the client runs. */
const stops = new AsyncLocalStorage<Stop>();

const mark = Symbol('cancelable');

interface Connected {
  readonly provider?: string;
  executeRaw(query: object): Promise<unknown>;
  dispose(): Promise<void>;
}

type Run = (request: unknown, values: unknown) => Promise<unknown>;

const textOf = (request: unknown): string => {
  const { text, sql } = request as { readonly text?: string; readonly sql?: string };
  return text ?? sql ?? '';
};

/**
 * Makes a driver adapter end the statements of late and aborted requests on the server: `@prisma/adapter-pg` by the
 * cancel request of the protocol, `@prisma/adapter-mariadb` by KILL QUERY on a connection that is opened for it.
 *
 * ```ts
 * new PrismaClient({ adapter: cancelable(new PrismaPg({ connectionString })) })
 * ```
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the client connects and the adapter is another one
 */
export function cancelable<Factory extends AdapterFactory>(adapter: Factory): Factory {
  const connect = async (...args: never) => {
    const connected = (await adapter.connect(...args)) as Connected;
    const client = poolBehind(connected);
    const family = familyNamedBy(connected.provider ?? '');
    const control = async () => {
      const further = (await adapter.connect(...args)) as Connected;
      return {
        run: (sql: string) => further.executeRaw({ sql, args: [], argTypes: [] }),
        close: () => further.dispose(),
      };
    };
    const run = client && family && families[family].timeLimit.stoppable(client, control);
    if (!client || !run) {
      throw configurationError(
        'The adapter of cancelable must be one of @prisma/adapter-pg or @prisma/adapter-mariadb.',
      );
    }
    const runner = (of: object, name: string): Run => (Reflect.get(of, name) as Run).bind(of);
    const stoppable =
      (name: string): Run =>
      (request, values) => {
        const stop = stops.getStore();
        if (!stop) return runner(client, name)(request, values);
        const statement = (connection: object) => runner(connection, name)(request, values);
        return run(stop, () => textOf(request), statement);
      };
    const members = { query: stoppable('query'), execute: stoppable('execute') };
    replacePool(connected, overlaid(client, members));
    return connected;
  };
  return overlaid(adapter, { connect, [mark]: true });
}

/** Whether the driver adapter of a client is a cancelable one. */
export function isCancelable(client: object): boolean {
  const adapter = driverAdapterOf(client);
  return adapter ? Reflect.get(adapter, mark) === true : false;
}

/** Runs work whose statements `stop` ends. */
export function stoppedBy<T>(stop: Stop, work: () => PromiseLike<T>): Promise<T> {
  // A query of Prisma starts when it is awaited.
  return stops.run(stop, async () => await work());
}
