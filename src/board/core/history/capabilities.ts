/** Tells the methods that a history provider has, and checks it at boot. */

import type { HistoryCapability } from '../../contract/index.ts';
import * as option from '../../../lib/option-rows.ts';
import type { HistoryProvider } from './provider.ts';

const methods = [
  'getHistory',
  'getUsage',
  'getLatency',
  'purge',
  'getErrors',
  'getAttempts',
] as const;

export const historyProviderRow = option.withMethods('a history provider', 'getHistory');

/** The capabilities of the provider, none without one, and the options of the board that have a route. */
export function capabilitiesOf(
  provider: HistoryProvider | undefined,
  options: { readonly attention?: unknown; readonly deployments?: unknown },
): ReadonlySet<HistoryCapability> {
  return new Set<HistoryCapability>([
    ...methods.filter((method) => typeof provider?.[method] === 'function'),
    ...(['attention', 'deployments'] as const).filter((name) => options[name] !== undefined),
  ]);
}
