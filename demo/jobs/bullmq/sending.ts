/** Sends the jobs of a shop: orders as flows, images with priorities, immediate and delayed mails. */

import { randomInt } from 'node:crypto';

import type { FlowJob } from 'bullmq';

import { oneOf } from '../chance.ts';
import { every } from '../every.ts';
import type { Queues } from './queues.ts';
import type { Store } from './store.ts';

/** Milliseconds between two rounds. */
const pauseMs = 900;

/** Orders of the first round: a share of failures is told of ten finished jobs and more. */
const firstOrders = 20;

/** Maximum number of waiting imports, which have no worker. */
const importsWaiting = 40;

const cities = ['Kyoto', 'Lima', 'Zürich', 'Łódź'] as const;

const persistently = { attempts: 2, backoff: { type: 'exponential', delay: 1_500 } };

/** An order, complete after its payment and its parcels; a parcel waits for the image of its label. */
function orderFlow(order: number): FlowJob {
  const data = { order, city: oneOf(cities) };
  return {
    name: 'fulfil',
    queueName: 'orders',
    data,
    children: [
      {
        name: 'charge',
        queueName: 'orders.payments',
        data: { ...data, cents: randomInt(500, 90_000) },
        // If the payment fails finally, the order fails too.
        opts: { ...persistently, failParentOnFailure: true },
      },
      {
        name: 'pack',
        queueName: 'orders.parcels',
        data,
        children: [{ name: 'label', queueName: 'images', data, opts: { priority: 1 } }],
      },
    ],
  };
}

/** Sends jobs until it is stopped. */
export function startSending(store: Store, queues: Queues): () => Promise<void> {
  const flows = store.flows();
  return every(pauseMs, async (round) => {
    const to = `customer-${round}@example.com`;
    await queues.mails.add('receipt', { kind: 'receipt', to }, persistently);
    await queues.images.add(
      'resize',
      { image: `${round}.jpg`, city: oneOf(cities) },
      { priority: randomInt(1, 6) },
    );
    if (round === 1) {
      await flows.addBulk(Array.from({ length: firstOrders }, () => orderFlow(round)));
    } else if (round % 3 === 1) {
      await flows.add(orderFlow(round));
    }
    if (round % 4 === 0) {
      const delay = randomInt(20_000, 120_000);
      await queues.mails.add('reminder', { kind: 'reminder', to }, { ...persistently, delay });
    }
    if (round % 5 === 0 && (await queues.imports.getWaitingCount()) < importsWaiting) {
      await queues.imports.add('read', { file: `${round}.csv`, rows: randomInt(10, 10_000) });
    }
  });
}
