/** Caches everything derived from a registry and its description, for all sources on them. */

import type { DatabaseFamily, SourceOrigin } from '../../rules/index.ts';
import { oncePer } from '../../lib/index.ts';
import { type SchemaRegistry, isArrayKind } from '../../schema/index.ts';
import {
  type RowChannel,
  SourceDescription,
  families,
  originOfTables,
  storageOfTables,
} from '../../relational/index.ts';
import type { RuntimeDataModel } from './foreign.ts';
import { clientModels } from './describe/client-model.ts';
import { describeTables } from './describe/describe-tables.ts';
import type { PrismaDescription } from './describe/description.ts';
import { clientBehaviour } from './client-behaviour.ts';

/** The models of a registry and its description, in the client's terms and as SQL tables. */
export type PrismaContext = ReturnType<typeof prismaContext>;

/** The context of a registry and a description; sources made per request share it. */
export const prismaContext = oncePer(
  (
    family: DatabaseFamily,
    registry: SchemaRegistry,
    description: PrismaDescription,
    defaultSchema: string | undefined,
  ) => {
    const models = clientModels(family, registry, description);
    const tables = describeTables(description, { family, defaultSchema });
    const physical = storageOfTables(tables, registry, families[family].dialect);
    const { clientProfile } = clientBehaviour[family];
    const channel = rawChannel(family);
    return {
      family,
      models,
      describe: new SourceDescription({ family, registry, physical, channel, clientProfile }),
    };
  },
);

/** The origin of a description and a client's data model; one object for all their sources. */
export const prismaOrigin = oncePer(
  (
    description: PrismaDescription,
    family: DatabaseFamily,
    runtime: RuntimeDataModel | undefined,
  ): SourceOrigin =>
    originOfTables(describeTables(description, { family, runtime }), families[family].dialect),
);

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
      if (kind === 'opaque' || isArrayKind(kind) || storage === 'single')
        return dialect.select(expression, column);
      const isRead = storage === 'epoch-milliseconds' || storage === 'uuid-bytes';
      if (!asText.has(kind) || isRead) return expression;
      if (kind === 'bigint') return dialect.select(expression, column);
      return ['cast(', expression, ` as ${textType})`];
    },
  };
}
