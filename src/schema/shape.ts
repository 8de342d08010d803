/** What the compiler can tell of schemas written as literals. */

import type { QuerySchema, RegistryShape } from './types.ts';

/** The shape of a collection of schemas; nothing is known of schemas that are not literals. */
export type ShapeOf<_Schemas extends Iterable<QuerySchema>> = RegistryShape;
