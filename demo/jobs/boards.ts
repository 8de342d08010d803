/** The demo's two boards: BullMQ's queues and pg-boss's, each with queues that move. */

import type { Closer, Databases } from '../databases.ts';
import type { MountedBoard } from '../server.ts';
import { startBullmqBoard } from './bullmq/board.ts';
import { startPgBossBoard } from './pg-boss/board.ts';

/**
 * Starts libraries, workers and boards.
 *
 * @param redisUrl where BullMQ keeps its queues; undefined for the demo's PostgreSQL
 * @param closers receives how to undo each step as soon as it is made
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
