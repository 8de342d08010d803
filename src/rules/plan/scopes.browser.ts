/** Stands for the resolution of scopes in the build for browsers. */

import { configurationError } from '../../schema/index.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';

/** @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the rules have scopes: they are resolved on servers only */
export function planScopes({ scopes }: CompiledQueryRules, values: unknown): undefined {
  if (scopes || values !== undefined) {
    throw configurationError('Scopes are resolved on servers; plan and run the request there.', {
      setting: 'scopes',
    });
  }
}

/** Returns the scopes unchanged. */
export const extendedScopes = <Scopes>(_: unknown, scopes: Scopes): Scopes => scopes;

/** Checks nothing: there are no plans with scopes. */
export const checkServed = (): void => {};
