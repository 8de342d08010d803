/** Errors as the log may show them: without the values of statements, which hold the data of jobs. */

import { codeOf } from '../../lib/index.ts';

/** Members with which drivers and ORMs repeat the values of a statement, or the row that it concerned. */
const valueMembers: ReadonlySet<string> = new Set([
  'args',
  'bindings',
  'command',
  'detail',
  'internalQuery',
  'meta',
  'parameters',
  'params',
  'query',
  'sql',
  'values',
  'where',
]);

/** Maximum number of nested errors that are copied. */
const maxDepth = 8;

/** SQLSTATE class 22: the message quotes the value that the server does not accept. */
const dataException = /^22[0-9A-Z]{3}$/;

/** The message without values: the list of parameters of Drizzle, the key of a constraint, the value of a data error. */
function withoutValues(message: string, code: string | undefined): string {
  const kept = message
    .replace(/\n?params: [^]*$/, '')
    .replaceAll(/(Key \([^]*?\))=\([^]*?\)( (?:already exists|is not present|conflicts))/g, '$1$2');
  return code !== undefined && dataException.test(code) ? kept.replaceAll(/"[^]*"/g, '"…"') : kept;
}

/** The error without values of statements in itself, its causes and members: a copy, where it has any. */
export function loggableError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  if (depth === maxDepth) return undefined;
  const members = Object.keys(error);
  const message = withoutValues(error.message, codeOf(error));
  const cause = loggableError(error.cause, depth + 1);
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const loggable = errors.map((one) => loggableError(one, depth + 1));
  const isClean =
    message === error.message &&
    cause === error.cause &&
    loggable.every((one, index) => one === errors[index]) &&
    !members.some((name) => valueMembers.has(name));
  if (isClean) return error;
  const copy: Error = Object.create(Object.getPrototypeOf(error));
  const put = (name: string, value: unknown, enumerable = false): void => {
    Object.defineProperty(copy, name, { value, enumerable, writable: true, configurable: true });
  };
  for (const name of members) {
    if (!valueMembers.has(name)) put(name, Reflect.get(error, name), true);
  }
  put('message', message);
  put(
    'stack',
    (error.stack ?? '').replace(error.message, () => message),
  );
  if (cause !== undefined) put('cause', cause);
  if (loggable.length > 0) put('errors', loggable);
  return copy;
}
