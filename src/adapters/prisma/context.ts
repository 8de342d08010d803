/** Caches everything derived from a registry and its description, for all sources on them. */

import type { DatabaseFamily } from '../../rules/index.ts';
import type { SchemaRegistry } from '../../schema/index.ts';
import { SourceDescription } from '../../relational/index.ts';
import { type ClientModels, clientModels } from './client-model.ts';
import type { PrismaDescription } from './description.ts';
import { familyFacts } from './family-facts.ts';
import { physicalSchema } from './physical.ts';
import { rawChannel } from './raw.ts';

/** The models of a registry and its description, in the client's terms and as SQL tables. */
export class PrismaContext {
  readonly family: DatabaseFamily;
  readonly models: ClientModels;
  readonly describe: SourceDescription;
  constructor(
    family: DatabaseFamily,
    registry: SchemaRegistry,
    description: PrismaDescription,
    defaultSchema: string | undefined,
  ) {
    this.family = family;
    this.models = clientModels(family, registry, description);
    this.describe = new SourceDescription({
      family,
      registry,
      physical: physicalSchema(family, registry, description, defaultSchema),
      channel: rawChannel(family),
      clientProfile: familyFacts[family].clientProfile,
    });
  }
}

type BySchema = Map<string | undefined, PrismaContext>;

const contexts = new WeakMap<SchemaRegistry, WeakMap<PrismaDescription, BySchema>>();

/** The context of a registry and a description; sources made per request share it. */
export function prismaContext(
  family: DatabaseFamily,
  registry: SchemaRegistry,
  description: PrismaDescription,
  defaultSchema: string | undefined,
): PrismaContext {
  const byDescription = contexts.get(registry) ?? new WeakMap<PrismaDescription, BySchema>();
  contexts.set(registry, byDescription);
  const bySchema = byDescription.get(description) ?? (new Map() as BySchema);
  byDescription.set(description, bySchema);
  let context = bySchema.get(defaultSchema);
  if (!context) {
    context = new PrismaContext(family, registry, description, defaultSchema);
    bySchema.set(defaultSchema, context);
  }
  return context;
}
