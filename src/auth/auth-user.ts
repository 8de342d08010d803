/** Which user a request was made by. */

import type { AuthUser } from './options.ts';

/** The property of a request that holds its user. */
const userKey = Symbol('sluice user');

interface Identified {
  [userKey]?: AuthUser;
}

/** Remembers the user of a request. */
export function attachUser(request: object, user: AuthUser): void {
  (request as Identified)[userKey] = user;
}

/** Where frameworks, and the board's hooks, keep the request of Node. */
const ways = ['raw', 'req', 'request', 'native', 'env', 'incoming'] as const;

/** How many of these ways lead from the outermost holder to the request. */
const furthest = 4;

/**
 * The user of a request that the middleware let through, or `undefined`. Takes Node's request, Express's,
 * Fastify's, Koa's or Hono's context, what the board hands to hooks and visibility guards, or an object that
 * holds one of them.
 */
export function getAuthUser(request: object): AuthUser | undefined {
  const seen = new Set<object>();
  let holders: object[] = [request];
  for (let distance = 0; distance <= furthest && holders.length > 0; distance += 1) {
    const next: object[] = [];
    for (const holder of holders) {
      const user = (holder as Identified)[userKey];
      if (user !== undefined) return user;
      seen.add(holder);
      for (const way of ways) {
        const found: unknown = Reflect.get(holder, way);
        if (typeof found === 'object' && found !== null && !seen.has(found)) next.push(found);
      }
    }
    holders = next;
  }
  return undefined;
}

/** A user from parts of unknown origin: text is kept, everything else is left out. Frozen. */
export function userOf(parts: object, fallbackName: string): AuthUser {
  const text = (key: string): string | undefined => {
    const value: unknown = Reflect.get(parts, key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const id = text('id');
  const name = text('name');
  const email = text('email');
  return Object.freeze({
    ...(id === undefined ? {} : { id }),
    username: text('username') ?? fallbackName,
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    roles: Object.freeze([...new Set(texts(Reflect.get(parts, 'roles')))]),
  });
}

/** The texts of a list. */
export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
