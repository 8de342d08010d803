/** Error responses that several operations have, as components, so that a document has each of them once. */

import type { OpenApiAnswer, OpenApiOperation, OpenApiReference } from './operation.ts';

export type OpenApiPaths = Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;

/** Operations whose shared responses are references, and the components that these stand for. */
export interface SharedAnswers {
  readonly paths: OpenApiPaths;
  readonly responses: Readonly<Record<string, OpenApiAnswer>>;
}

const isError = (status: string): boolean => Number(status) >= 400;

/** Replaces error responses that occur more than once. */
export function shareAnswers(paths: OpenApiPaths): SharedAnswers {
  const answers = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ responses }) =>
      Object.entries(responses)
        .filter(([status]) => isError(status))
        .map(([status, answer]) => [status, JSON.stringify(answer)] as const),
    ),
  );
  const names = new Map<string, string>();
  const variants = new Map<string, number>();
  for (const [text, equal] of Map.groupBy(answers, ([, each]) => each)) {
    const [first] = equal;
    if (!first || equal.length === 1) continue;
    const [status] = first;
    const variant = (variants.get(status) ?? 0) + 1;
    variants.set(status, variant);
    names.set(text, `Error${status}${variant === 1 ? '' : `_${variant}`}`);
  }
  const shared = ([status, answer]: [string, OpenApiAnswer | OpenApiReference]) => {
    const name = isError(status) ? names.get(JSON.stringify(answer)) : undefined;
    return [status, name === undefined ? answer : { $ref: `#/components/responses/${name}` }];
  };
  const withReferences = (operation: OpenApiOperation): OpenApiOperation => ({
    ...operation,
    responses: Object.fromEntries(Object.entries(operation.responses).map(shared)),
  });
  return {
    paths: mapped(paths, (methods) => mapped(methods, withReferences)),
    responses: Object.fromEntries(
      [...names].map(([text, name]) => [name, JSON.parse(text) as OpenApiAnswer]),
    ),
  };
}

const mapped = <From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
