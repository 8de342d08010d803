/** The configuration of the board for its page. */

import type { EngineName, HistoryCapability } from '../../contract/index.ts';
import type { ResolvedOptions } from '../options.ts';

const defaultTitle = 'Sluice';

export function uiConfigOf(
  engine: EngineName,
  { ui, hideKvDetails, showWorkers, readOnly }: ResolvedOptions,
  history: ReadonlySet<HistoryCapability>,
): Readonly<Record<string, unknown>> & { readonly boardTitle: string } {
  return Object.freeze({
    boardTitle: ui.boardTitle ?? defaultTitle,
    hideKvDetails,
    showWorkers,
    engine,
    readOnly,
    hasHistoryProvider: history.has('getHistory'),
    hasHistoryUsage: history.has('getUsage'),
    hasLatencyHistory: history.has('getLatency'),
    canPurgeHistory: history.has('purge') && !readOnly,
  });
}
