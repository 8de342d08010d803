/** A board in a process of its own, which a test may kill or stop at any moment, or at a part of a run. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { boardOf } from './stores.ts';
import type { InstanceEvent, InstanceSettings } from './stores.ts';

const settings = JSON.parse(process.argv[2] ?? '') as InstanceSettings;
const tell = (event: InstanceEvent): void => void process.send?.(event);
let goOn = (): void => undefined;
const told = new Promise<void>((resolve) => (goOn = resolve));
let parts = 0;
const board = boardOf(
  settings,
  {
    readOnly: settings.readOnly ?? false,
    onEvent: tell,
    logger: { error: () => undefined, warn: () => undefined },
  },
  async () => {
    parts += 1;
    if (parts !== settings.holdsAt) return;
    tell({ held: true });
    await told;
  },
);
process.on('message', (message) => {
  const closing = message === 'close' ? board.close() : undefined;
  goOn();
  void closing?.then(() => tell({ closed: true }));
});

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const body = Buffer.concat(pieces);
    const asked = new Request(`http://127.0.0.1${request.url ?? ''}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json' },
      ...(body.length > 0 && { body: body.toString() }),
    });
    void board.fetch(asked).then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(await answer.text());
    });
  });
});
// A test that reuses a connection must not meet one that has just been closed.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => {
  tell({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
