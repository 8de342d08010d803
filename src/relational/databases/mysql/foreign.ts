/**
 * The members of `mysql2` that its types do not declare, as 3.0 to 3.24 have them. Without those of a connection, the
 * server does not end statements.
 */

import { notInEffect } from '../../../lib/index.ts';

/** A connection with callbacks: members that are declared, and those that are not. */
export interface Connection {
  readonly threadId: number | null;
  readonly config: object;
  pause(): void;
  resume(): void;
  destroy(): void;
  on(event: 'error', listener: () => void): unknown;
  execute(sql: string, values: unknown[], answer: Answer): unknown;
  query(sql: string, answer: Answer): unknown;
  /** The running command, with its values in the text. */
  readonly _command?: { readonly sql?: string } | null;
  /** Commands that wait for the running one. */
  readonly _commands?: { readonly length: number };
}

/** Receives the answer to a statement. */
export type Answer = (error: Error | null, rows: unknown) => void;

/** The connection behind one with promises; others are their own. */
export const coreOf = (target: object): object =>
  (target as { readonly connection?: object }).connection ?? target;

/** Whether the object is a connection that tells its running command. */
export function tellsCommand(core: object): core is Connection {
  if ('_command' in core) return true;
  if ('threadId' in core) {
    notInEffect(
      'the running command of a connection of "mysql2"',
      'the server does not end the statements of requests that are late or aborted',
    );
  }
  return false;
}

/** The text of the running command, with its values in it. */
export const runningText = ({ _command: command }: Connection): string | undefined => command?.sql;

/** Whether commands wait for the running one. */
export const hasWaiting = ({ _commands: waiting }: Connection): boolean => Boolean(waiting?.length);

/** Opens a connection with the settings of another one, which may belong to a pool. */
export function openBeside({ constructor, config }: Connection): () => Connection {
  // A connection that belongs to a pool is given the pool first.
  const given = constructor.length === 2 ? [null, { config }] : [{ config }];
  return () => Reflect.construct(constructor, given) as Connection;
}

/** Settings of a connection that decide how values are read. */
export interface MysqlSettings {
  readonly typeCast?: unknown;
  readonly decimalNumbers?: boolean;
}

/** The settings of a connection, or of the connections of a pool. */
export function settingsOf(core: object): MysqlSettings {
  const { config = {} } = core as { config?: MysqlSettings & { connectionConfig?: MysqlSettings } };
  return config.connectionConfig ?? config;
}
