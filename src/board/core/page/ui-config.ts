/** The configuration of the board for its page. */

import type { EngineName, HistoryCapability } from '../../contract/index.ts';
import type { ResolvedOptions } from '../options.ts';
import { shownUi } from './ui-options.ts';

export function uiConfigOf(
  engine: EngineName,
  { ui, hideKvDetails, showWorkers, readOnly, historyProvider }: ResolvedOptions,
  history: ReadonlySet<HistoryCapability>,
  hasAuth: boolean,
): Readonly<Record<string, unknown>> & { readonly boardTitle: string } {
  return Object.freeze({
    ...shownUi(ui),
    boardTitle: ui.boardTitle ?? 'Sluice',
    showMetrics: ui.showMetrics ?? history.has('getHistory'),
    hideKvDetails,
    showWorkers,
    engine,
    readOnly,
    hasAuth,
    historySource: historyProvider?.source,
    hasHistoryProvider: history.has('getHistory'),
    hasHistoryUsage: history.has('getUsage'),
    hasLatencyHistory: history.has('getLatency'),
    hasErrorGroups: history.has('getErrors'),
    hasAttention: history.has('attention'),
    canPurgeHistory: history.has('purge') && !readOnly,
  });
}
