/** Caches everything derived from a registry and its description, for all sources on them. */

import type { DatabaseFamily, OrderTerm, ProjectionNode, ResolvedPlan } from '../../rules/index.ts';
import type { SchemaRegistry } from '../../schema/index.ts';
import { SourceDescription } from '../../relational/index.ts';
import { type ClientModels, clientModels, modelNamed } from './client-model.ts';
import type { PrismaDescription } from './description.ts';
import { familyFacts } from './family-facts.ts';
import { KeyLookup } from './keys.ts';
import { type ClientOrder, canPage, clientOrder, prismaOrder } from './order.ts';
import { physicalSchema } from './physical.ts';
import { type ClientProjection, type Select, clientProjection } from './projection.ts';
import { rawChannel } from './raw.ts';
import { type Where, scopeWheres } from './where.ts';

/** An order of a plan in the client's terms. */
interface PreparedOrder {
  readonly terms: readonly ClientOrder[];
  /** `undefined` where Prisma cannot express it. */
  readonly orderBy: readonly Where[] | undefined;
  /** Whether keyset pages can follow it without SQL. */
  readonly pages: boolean;
  /** Selects the fields that a cursor contains. */
  readonly shown: Select;
}

/** The models of a registry and its description, in the client's terms and as SQL tables. */
export class PrismaContext {
  readonly family: DatabaseFamily;
  readonly models: ClientModels;
  readonly describe: SourceDescription;
  readonly #projections = new WeakMap<ProjectionNode, ClientProjection>();
  readonly #orders = new WeakMap<readonly OrderTerm[], { [reversed: string]: PreparedOrder }>();
  readonly #lookups = new Map<string, KeyLookup>();

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

  /** The projection of a plan, whose included relations are those of its scopes. */
  projection({ projection: node, scopes }: ResolvedPlan): ClientProjection {
    const isScoped = node.relations.length > 0 && scopes !== undefined;
    // The select contains the values of the scopes.
    if (isScoped) return clientProjection(this.models, node, scopeWheres(this.models, scopes));
    let projection = this.#projections.get(node);
    if (!projection) {
      projection = clientProjection(this.models, node, () => ({}));
      this.#projections.set(node, projection);
    }
    return projection;
  }

  order(terms: readonly OrderTerm[], reversed: boolean): PreparedOrder {
    let known = this.#orders.get(terms);
    if (!known) {
      known = {};
      this.#orders.set(terms, known);
    }
    return (known[String(reversed)] ??= this.#prepare(clientOrder(this.models, terms, reversed)));
  }

  #prepare(terms: readonly ClientOrder[]): PreparedOrder {
    const shown = Object.fromEntries(terms.map(({ field }) => [field.descriptor.path, true]));
    return { terms, orderBy: prismaOrder(this.family, terms), pages: canPage(terms), shown };
  }

  lookup(model: string): KeyLookup {
    let lookup = this.#lookups.get(model);
    if (!lookup) {
      lookup = new KeyLookup(this.family, modelNamed(this.models, model));
      this.#lookups.set(model, lookup);
    }
    return lookup;
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
