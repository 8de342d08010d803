/** Lua scripts, sent in one write by hash, and by text when the server does not have them cached. */

import { createHash } from 'node:crypto';
import type { PipelineReply, RedisCommand, RedisConnection } from './client.ts';
import { nextTick } from 'node:process';
import { isObject } from '../../../../lib/index.ts';

/** The socket of a connection. */
interface Corkable {
  cork(): void;
  uncork(): void;
}

/** Sockets that write at the end of the turn. */
const gathering = new WeakSet<Corkable>();

function isCorkable(stream: unknown): stream is Corkable {
  return (
    isObject(stream) &&
    ['cork', 'uncork'].every((name) => typeof Reflect.get(stream, name) === 'function')
  );
}

/**
 * Holds back what is written to the connection until the microtasks of this turn have run. False when its socket cannot
 * do so, for example because the client is not connected yet: each command is then a write of its own.
 */
function gatherWrites(connection: object): boolean {
  const stream: unknown = Reflect.get(connection, 'stream');
  if (!isCorkable(stream)) return false;
  if (gathering.has(stream)) return true;
  gathering.add(stream);
  stream.cork();
  nextTick(() => {
    gathering.delete(stream);
    stream.uncork();
  });
  return true;
}

/** A script and its SHA-1 hash. */
export interface Script {
  readonly lua: string;
  readonly sha: string;
}

export interface ScriptCall {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
}

/** The reply to one command. */
export type Reply = { readonly value: unknown } | { readonly error: Error };

export function defineScript(lua: string): Script {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') };
}

function command(call: ScriptCall, byText: boolean): RedisCommand {
  const [name, body] = byText ? ['eval', call.script.lua] : ['evalsha', call.script.sha];
  return [name, body, call.keys.length, ...call.keys, ...call.args];
}

function toReply([error, value]: PipelineReply): Reply {
  return error ? { error } : { value };
}

const forgotten = (reply: Reply): boolean =>
  'error' in reply && reply.error.message.startsWith('NOSCRIPT');

async function sendOne(connection: RedisConnection, [name, ...args]: RedisCommand): Promise<Reply> {
  try {
    return { value: await connection.call(String(name), ...args) };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Commands that are sent without a pipeline: to make one takes as long as several commands. */
const few = 8;

async function send(connection: RedisConnection, commands: RedisCommand[]): Promise<Reply[]> {
  const isGathered = gatherWrites(connection);
  if (commands.length === 1 || (isGathered && commands.length <= few)) {
    return Promise.all(commands.map((command) => sendOne(connection, command)));
  }
  const replies = await connection.pipeline(commands).exec();
  return (replies ?? []).map(toReply);
}

/**
 * Sends commands and scripts in one write and returns the replies in order. Scripts that the server does not have cached
 * are sent again by text.
 */
export async function sendBatch(
  connection: RedisConnection,
  calls: readonly (ScriptCall | RedisCommand)[],
): Promise<Reply[]> {
  const isCommand = (call: ScriptCall | RedisCommand): call is RedisCommand => Array.isArray(call);
  const replies = await send(
    connection,
    calls.map((call) => (isCommand(call) ? call : command(call, false))),
  );
  const again = calls.flatMap((call, index) => {
    const reply = replies[index];
    return !isCommand(call) && reply && forgotten(reply) ? [{ call, index }] : [];
  });
  if (again.length === 0) return replies;
  const seconds = await send(
    connection,
    again.map(({ call }) => command(call, true)),
  );
  for (const [position, { index }] of again.entries()) {
    const second = seconds[position];
    if (second) replies[index] = second;
  }
  return replies;
}

/** The value of a reply; throws if the reply is an error. */
export function valueOf(reply: Reply | undefined): unknown {
  if (!reply) throw new Error('The datastore sent no reply.');
  if ('error' in reply) throw reply.error;
  return reply.value;
}
