/** The process under test: one server of the benchmark, with watched connections. It reports its figures on request. */

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type HttpRequest,
  type ServerName,
  listenerOf,
  portOf,
  servers,
  targetOf,
} from '../http/contenders.ts';
import { cursorRows } from '../lists/cursor-rows.ts';
import { variants } from '../lists/requests.ts';
import { settledCpu } from '../measure.ts';
import { type HeldFigures, watchConnections } from './held-connections.ts';

/** The figures of a turn of the server. Times in milliseconds, CPU in microseconds. */
export interface TurnFigures {
  readonly held: HeldFigures;
  readonly cpu: number;
  readonly delay: { readonly p50: number; readonly p99: number; readonly max: number };
}

const [, , name, ...requests] = process.argv as [string, string, ServerName, ...HttpRequest[]];
const held = watchConnections();
const values = variants(cursorRows());
const contender = await servers[name].open(values);
const port = await portOf(await listenerOf(servers[name], contender, values));

const delay = monitorEventLoopDelay({ resolution: 1 });
let cpu = 0;

/** Begins a turn of this server. */
async function begin(): Promise<void> {
  cpu = await settledCpu();
  held();
  delay.enable();
  // The first delay is counted from the end of the last turn.
  await pause(10);
  delay.reset();
  process.send?.({});
}

/** Ends the turn. */
async function end(): Promise<void> {
  delay.disable();
  const spent = (await settledCpu()) - cpu;
  const milliseconds = (nanoseconds: number): number => nanoseconds / 1e6;
  const [p50, p99] = [delay.percentile(50), delay.percentile(99)].map(milliseconds);
  const turn = { held: held(), cpu: spent, delay: { p50, p99, max: milliseconds(delay.max) } };
  process.send?.(turn);
}

/** Bytes of the heap that are in use. */
function heap(): void {
  // Twice, because some objects are released by the first collection and freed by the second.
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.({ heap: process.memoryUsage().heapUsed });
}

process.on('message', (message) => {
  if (message === 'begin') void begin();
  else if (message === 'end') void end();
  else heap();
});
process.on('disconnect', () => process.exit());
const targets = values.flatMap((_, variant) =>
  requests.map((request) => targetOf(contender, request, variant)),
);
process.send?.({ port, targets });
