/** Fields that result extensions of a client compute, so that the client does not return their stored values. */

import { oncePer } from '../../../lib/index.ts';
import type { ProjectionNode } from '../../../rules/index.ts';
import { extensionsOf } from '../foreign.ts';

/** The fields that a list of extensions computes; a client shares the list with its transactions. */
const computedFields = oncePer(
  (extensions: ReturnType<typeof extensionsOf>, model: string): ReadonlySet<string> =>
    new Set(Object.keys(extensions.getAllComputedFields(model) ?? {})),
);

/** Paths of the fields that result extensions compute; `model` is the name of the model in the client. */
export const rewrittenFields = (client: object, model: string): ReadonlySet<string> =>
  computedFields(extensionsOf(client), model);

/** Whether result extensions compute a field of a projection. */
export function isRewritten(client: object, { model, fields, relations }: ProjectionNode): boolean {
  const computed = rewrittenFields(client, model);
  if (fields.some((path) => computed.has(path))) return true;
  return relations.some(({ node }) => isRewritten(client, node));
}
