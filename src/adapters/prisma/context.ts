/** Caches everything derived from a registry and its description, for all sources on them. */

import type { DatabaseFamily, SourceOrigin } from '../../rules/index.ts';
import type { SchemaRegistry } from '../../schema/index.ts';
import {
  type RowChannel,
  SourceDescription,
  families,
  originOfTables,
  storageOfTables,
} from '../../relational/index.ts';
import type { RuntimeDataModel } from './foreign.ts';
import { type ClientModels, clientModels } from './client-model.ts';
import { describeTables } from './describe-tables.ts';
import type { PrismaDescription } from './description.ts';
import { clientBehaviour } from './client-behaviour.ts';

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
      physical: storageOfTables(
        describeTables(description, { family, defaultSchema }),
        registry,
        families[family].dialect,
      ),
      channel: rawChannel(family),
      clientProfile: clientBehaviour[family].clientProfile,
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

const origins = new WeakMap<PrismaDescription, WeakMap<object, SourceOrigin>>();

/** The origin of a description and a client's data model; one object for all their sources. */
export function prismaOrigin(
  description: PrismaDescription,
  family: DatabaseFamily,
  runtime: RuntimeDataModel | undefined,
): SourceOrigin {
  const known = origins.get(description) ?? new WeakMap<object, SourceOrigin>();
  origins.set(description, known);
  const key = runtime ?? description;
  const tables = () => describeTables(description, { family, runtime });
  const origin = known.get(key) ?? originOfTables(tables(), families[family].dialect);
  known.set(key, origin);
  return origin;
}

/** The row format of the client's raw queries: rows as objects, some types as Prisma's own. */
function rawChannel(family: DatabaseFamily): RowChannel {
  const { asText, textType, jsonText } = clientBehaviour[family];
  const { dialect } = families[family];
  return {
    named: true,
    typedColumns: true,
    // An instant stored as a number is returned as a `Date` in milliseconds, which is its full precision; bytes as bytes.
    select: (expression, column) => {
      const { kind, storage } = column;
      if (storage === 'json-number' && jsonText) return jsonText(expression);
      if (kind === 'opaque' || storage === 'single') return dialect.select(expression, column);
      const isRead = storage === 'epoch-milliseconds' || storage === 'uuid-bytes';
      return asText.has(kind) && !isRead ? ['cast(', expression, ` as ${textType})`] : expression;
    },
  };
}
