/** The JSON Schema of a queue's data, and a first value for it: required members, with their defaults or an empty value. */

import { queryOptions } from '@tanstack/react-query';

import type { Board } from '../api/boards.ts';

export const dataSchema = ({ client }: Board, queueName: string) =>
  queryOptions({
    ...client.read('GET /api/queues/{queueName}/job-data-schema', { params: { queueName } }),
    staleTime: 60_000,
  });

interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

export function skeletonOf(schema: unknown): unknown {
  const {
    type,
    properties,
    required = [],
    default: standard,
    enum: members,
    const: fixed,
  } = (schema ?? {}) as Schema;
  if (standard !== undefined) return standard;
  if (fixed !== undefined) return fixed;
  if (members) return members[0];
  if (properties) {
    const wanted = required.length > 0 ? required : Object.keys(properties);
    return Object.fromEntries(wanted.map((name) => [name, skeletonOf(properties[name])]));
  }
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return '';
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'null':
      return null;
    default:
      return {};
  }
}
