/** Public interface of `sluice/migrate/bull-board`: boards that are declared as for bull-board. */

export { createBullBoard } from './create-bull-board.ts';
export type {
  BullBoard,
  BullBoardConfig,
  BullBoardOptions,
  BullBoardUi,
} from './create-bull-board.ts';
export { BullAdapter, BullMQAdapter } from './adapters.ts';
export type { BullBoardAdapter } from './adapters.ts';
