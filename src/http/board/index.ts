/** Entry file of `sluice/board`: boards for job queues, and their mount in Express. */

export * from '../../board/index.ts';
export { ExpressAdapter } from '../express/board.ts';
