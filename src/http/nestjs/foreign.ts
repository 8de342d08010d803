/**
 * The metadata in which `@nestjs/swagger` keeps the parameters and responses of a handler, as 11.0 to 11.4 have them. An
 * application without the package passes them over, and so does a version that keeps them elsewhere.
 */

import type { OpenApiOperation } from '../../rules/open-api/index.ts';

/** The functions that `reflect-metadata` adds, which NestJS itself requires. */
interface Metadata {
  getMetadata(key: string, target: object): unknown;
  defineMetadata(key: string, value: unknown, target: object): void;
}

const parametersKey = 'swagger/apiParameters';
const responsesKey = 'swagger/apiResponse';

/** Adds parameters and responses to those of the method, as the decorators of the package do. */
export function documentOperation(
  target: object,
  key: string | symbol,
  { parameters, responses }: OpenApiOperation,
): void {
  const method: unknown = Reflect.get(target, key);
  if (typeof method !== 'function') return;
  const metadata = Reflect as unknown as Metadata;
  const earlier = metadata.getMetadata(parametersKey, method);
  const listed: readonly unknown[] = Array.isArray(earlier) ? earlier : [];
  metadata.defineMetadata(parametersKey, [...listed, ...parameters], method);
  const described = Object.entries(responses).map(([status, { description, content }]) => [
    status,
    { description, schema: content['application/json'].schema },
  ]);
  const own = metadata.getMetadata(responsesKey, method);
  const all = { ...Object.fromEntries(described), ...(typeof own === 'object' && own) };
  metadata.defineMetadata(responsesKey, all, method);
}
