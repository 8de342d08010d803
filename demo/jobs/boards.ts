/** The two boards of the demo: active queues of BullMQ and of pg-boss. */

import type { Closer, Databases } from '../databases.ts';
import type { MountedBoard } from '../server.ts';
import { startBullmqBoard } from './bullmq/board.ts';
import { startPgBossBoard } from './pg-boss/board.ts';

/**
 * Starts libraries, workers and boards.
 *
 * @param redisUrl Redis of the BullMQ queues; undefined for the demo's PostgreSQL
 * @param closers receives a closer after each step
 */
export async function startBoards(
  databases: Databases,
  redisUrl: string | undefined,
  closers: Closer[],
): Promise<MountedBoard[]> {
  return [
    await startBullmqBoard(databases, redisUrl, closers),
    await startPgBossBoard(databases, closers),
  ];
}
