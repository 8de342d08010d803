/** The module that adds queues of a feature to the board. */

import { type DynamicModule, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Board, BoardQueue, BullMqQueue, BullQueue, KvqBoard } from '../../board/index.ts';
import { boardToken, type FeatureQueue, type RegisteredQueue } from './board-options.ts';

const queuesToken = Symbol('sluice queues of a feature');

@Module({})
class BoardFeatureModule implements OnModuleInit {
  readonly #queues: readonly FeatureQueue[];
  readonly #board: Board<'pgq'> | KvqBoard;
  readonly #registered: ModuleRef;

  constructor(
    @Inject(queuesToken) queues: readonly FeatureQueue[],
    @Inject(boardToken) board: Board<'pgq'> | KvqBoard,
    @Inject(ModuleRef) registered: ModuleRef,
  ) {
    this.#queues = queues;
    this.#board = board;
    this.#registered = registered;
  }

  async onModuleInit(): Promise<void> {
    const board = this.#board;
    if (!('addQueue' in board)) {
      throw new TypeError('"BoardModule.forFeature" needs a board of engine "kvq"');
    }
    for (const queue of this.#queues) board.addQueue(await this.#adapted(queue));
  }

  async #adapted(queue: FeatureQueue): Promise<BoardQueue> {
    if (isAdapted(queue)) return queue;
    const { bullQueue, bullmqQueue } = await import('../../board/index.ts');
    const { name, library, ...options } = queue;
    // The token of `getQueueToken` in both packages.
    const found: unknown = this.#registered.get(`BullQueue_${name}`, { strict: false });
    return library === 'bull'
      ? bullQueue(found as BullQueue, options)
      : bullmqQueue(found as BullMqQueue, options);
  }
}

const isAdapted = (queue: BoardQueue | RegisteredQueue): queue is BoardQueue => 'driver' in queue;

/** Number of modules so far. */
let count = 0;

/** A module with these queues. */
export function boardFeature(queues: readonly FeatureQueue[]): DynamicModule {
  count += 1;
  return {
    module: BoardFeatureModule,
    providers: [
      // NestJS 10 compares modules by the texts of their providers.
      { provide: queuesToken, useFactory: () => queues },
      { provide: `sluice feature ${count}`, useValue: count },
    ],
  };
}
