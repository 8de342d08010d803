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

/** The capabilities of the provider, none without one, and whether the board has thresholds. */
export function capabilitiesOf(
  provider: HistoryProvider | undefined,
  hasThresholds: boolean,
): ReadonlySet<HistoryCapability> {
  return new Set<HistoryCapability>([
    ...methods.filter((method) => typeof provider?.[method] === 'function'),
    ...(hasThresholds ? (['attention'] as const) : []),
  ]);
}
