/** The routes of a board as its own OpenAPI document describes them. */

import { queryOptions } from '@tanstack/react-query';

import type { OpenApiDocument, OpenApiOperation } from '../../board/contract/index.ts';
import type { Board } from '../api/boards.ts';

export type { OpenApiDocument };

/** A JSON Schema, as far as it is shown. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}

/** An answer to a route. */
export interface Answer {
  readonly status: string;
  readonly description: string;
  /** Schemas of the body by media type. */
  readonly bodies: readonly { readonly media: string; readonly schema: Schema }[];
}

/** A route. */
export interface Operation {
  readonly id: string;
  readonly tag: string;
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: NonNullable<OpenApiOperation['parameters']>;
  readonly body: Schema | undefined;
  readonly answers: readonly Answer[];
}

export const documentOf = ({ basePath, client }: Board) =>
  queryOptions({
    queryKey: [basePath, 'openapi'],
    queryFn: ({ signal }) => client.call('GET /api/openapi.json', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The name of the component that a reference names. */
export const componentOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** The schema itself, if it is a reference to a component. */
export function resolve({ components }: OpenApiDocument, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...rest } = schema;
  return { ...(components.schemas[componentOf($ref)] as Schema | undefined), ...rest };
}

function answersOf({ components }: OpenApiDocument, { responses }: OpenApiOperation): Answer[] {
  return Object.entries(responses).map(([status, answer]) => {
    const { description = '', content = {} } =
      answer.$ref === undefined ? answer : (components.responses[componentOf(answer.$ref)] ?? {});
    return {
      status,
      description,
      bodies: Object.entries(content as Readonly<Record<string, { readonly schema: Schema }>>).map(
        ([media, { schema }]) => ({ media, schema }),
      ),
    };
  });
}

/** The operations in the order of the document. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      tag: operation.tags[0] ?? '',
      method: method.toUpperCase(),
      path,
      summary: operation.summary,
      description: operation.description,
      parameters: operation.parameters ?? [],
      body: Object.values(operation.requestBody?.content ?? {})[0]?.schema as Schema | undefined,
      answers: answersOf(document, operation),
    })),
  );
}
