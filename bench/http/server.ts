/** One server of the benchmark in a process of its own, which reports its CPU time when it is asked. */

import { cursorRows } from '../lists/cursor-rows.ts';
import { variants } from '../lists/requests.ts';
import { settledCpu } from '../measure.ts';
import {
  type ServerName,
  httpRequests,
  listenerOf,
  portOf,
  servers,
  targetOf,
} from './contenders.ts';

const name = process.argv[2] as ServerName;
const values = variants(cursorRows());
const contender = await servers[name].open(values);
const port = await portOf(await listenerOf(servers[name], contender, values));

process.on('message', () => {
  void settledCpu().then((cpu) => process.send?.({ cpu }));
});
process.on('disconnect', () => process.exit());
const targets = Object.fromEntries(
  httpRequests.map((request) => [
    request,
    values.map((_, variant) => targetOf(contender, request, variant)),
  ]),
);
process.send?.({ port, targets });
