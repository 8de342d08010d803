/** Stands for the check of scopes in the build for browsers, where no request is planned under them. */

import type { CompiledScopes, ModelScopes } from './scopes.ts';

/** Marks rules with scopes, so that no plan is made without them. */
export function compileScopes(_: unknown, scopes: ModelScopes | undefined): CompiledScopes | null {
  return scopes ? { byModel: new Map(), reached: [], conditions: [] } : null;
}
