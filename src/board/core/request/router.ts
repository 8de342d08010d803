/** Matches a method and a path to a route. Names are compared in encoded form; only parameters are decoded. */

import type { Route, RouteTable } from '../../contract/index.ts';

/** A route that matches a path. */
export interface RouteMatch {
  readonly operation: string;
  readonly route: Route;
  /** Decoded; unchanged where decoding fails. */
  readonly params: Readonly<Record<string, string>>;
  /** The first parameter that cannot be decoded or contains a NUL character. */
  readonly unusable: string | undefined;
}

interface Step {
  readonly literals: Map<string, Step>;
  parameter: Step | undefined;
  /** The routes that end at this segment, by method. */
  readonly ends: Map<string, { operation: string; route: Route; names: readonly string[] }>;
}

function step(): Step {
  return { literals: new Map(), parameter: undefined, ends: new Map() };
}

function parameterName(segment: string): string | undefined {
  return segment.startsWith('{') ? segment.slice(1, -1) : undefined;
}

/** Maximum number of path segments; no route has as many. */
const maxSegments = 12;

/** Finds routes by path. */
export interface Router {
  /** The route of a method and a path. */
  match(method: string, path: string): RouteMatch | undefined;
  /** The routes of a path, one for each of its methods. */
  at(path: string): readonly RouteMatch[];
}

/** Compiles the mounted routes. Names take precedence over parameters. */
export function createRouter(routes: RouteTable): Router {
  const root = step();
  for (const [operation, route] of Object.entries(routes)) {
    const segments = route.path.slice(1).split('/');
    let at = root;
    for (const segment of segments) at = descend(at, segment);
    const names = segments.flatMap((segment) => parameterName(segment) ?? []);
    at.ends.set(route.method, { operation, route, names });
  }
  const methods = [...new Set(Object.values(routes).map(({ method }) => method))].sort();
  const match: Router['match'] = (method, path) => {
    if (!path.startsWith('/')) return undefined;
    const segments = path.slice(1).split('/', maxSegments);
    const found = find(root, segments, method, []);
    if (!found) return undefined;
    const { end, values } = found;
    const params: Record<string, string> = {};
    let unusable: string | undefined;
    for (const [index, name] of end.names.entries()) {
      const raw = values[index] ?? '';
      const decoded = decode(raw);
      if (decoded === undefined || decoded.includes('\0')) unusable ??= name;
      params[name] = decoded ?? raw;
    }
    return { operation: end.operation, route: end.route, params, unusable };
  };
  return { match, at: (path) => methods.flatMap((method) => match(method, path) ?? []) };
}

function descend(at: Step, segment: string): Step {
  if (parameterName(segment) !== undefined) return (at.parameter ??= step());
  const next = at.literals.get(segment) ?? step();
  at.literals.set(segment, next);
  return next;
}

type Found = { end: NonNullable<ReturnType<Step['ends']['get']>>; values: readonly string[] };

function find(
  at: Step,
  [segment, ...rest]: readonly string[],
  method: string,
  values: readonly string[],
): Found | undefined {
  if (segment === undefined) {
    const end = at.ends.get(method);
    return end && { end, values };
  }
  const literal = at.literals.get(segment);
  const found = literal && find(literal, rest, method, values);
  if (found || !at.parameter || segment === '') return found;
  return find(at.parameter, rest, method, [...values, segment]);
}

/**
 * `.` and `..` mean another path to clients, servers and proxies, also in encoded form. A parameter has them encoded
 * once more, `%252E`, as it has everything that looks like this form.
 */
const dots = /^(?:%(?:25)*2e){1,2}$/i;

function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return dots.test(decoded) ? decodeURIComponent(decoded) : decoded;
  } catch {
    return undefined;
  }
}
