/** A job as code that adds it again, and as a request. */

import type { Board } from '../api/boards.ts';
import { pathStep } from '../api/path-name.ts';
import { layOut } from '../kit/json-text.ts';
import type { JobDetail } from './detail.ts';

const indented = (text: string): string => layOut(text).replaceAll('\n', '\n  ');

/** `queue.add(...)` or `boss.send(...)`. */
export function asAdd(
  { engine }: Board,
  { name, queueName, data = '{}', options }: JobDetail,
): string {
  if (engine === 'pgq') return `await boss.send(${JSON.stringify(queueName)}, ${layOut(data)});`;
  const rest = options === undefined || options === '{}' ? '' : `,\n  ${indented(options)}`;
  return `await queue.add(\n  ${JSON.stringify(name)},\n  ${indented(data)}${rest},\n);`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A request that adds the same job. */
export function asCurl(
  { basePath, engine }: Board,
  { name, queueName, data = '{}' }: JobDetail,
): string {
  const queue = pathStep(queueName);
  const path = engine === 'pgq' ? `/api/pgq/queues/${queue}/jobs` : `/api/queues/${queue}/add`;
  const body =
    engine === 'pgq' ? `{"data":${data}}` : `{"name":${JSON.stringify(name)},"data":${data}}`;
  return [
    `curl -X POST ${quoted(`${location.origin}${basePath}${path}`)}`,
    `-H 'content-type: application/json'`,
    `-d ${quoted(body)}`,
  ].join(' \\\n  ');
}
