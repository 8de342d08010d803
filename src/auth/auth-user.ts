/** Which user a request was made by. */

import type { AuthUser } from './options.ts';

const users = new WeakMap<object, AuthUser>();

/** Remembers the user of a request. */
export function attachUser(request: object, user: AuthUser): void {
  users.set(request, user);
}

/** Where frameworks keep the request of Node: Fastify, Koa, Hono, and requests made from them. */
const ways = ['raw', 'req', 'request', 'env', 'incoming'] as const;

/**
 * The user of a request that the middleware let through, or `undefined`. Takes Node's request, Express's,
 * Fastify's, Koa's or Hono's context, or an object that holds one of them.
 */
export function getAuthUser(request: object): AuthUser | undefined {
  return find(request, 3);
}

function find(holder: unknown, depth: number): AuthUser | undefined {
  if (typeof holder !== 'object' || holder === null) return undefined;
  const user = users.get(holder);
  if (user !== undefined || depth === 0) return user;
  for (const way of ways) {
    const found = find(Reflect.get(holder, way), depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A user from parts of unknown origin: text is kept, everything else is left out. Frozen. */
export function userOf(parts: object, fallbackName: string): AuthUser {
  const text = (key: string): string | undefined => {
    const value: unknown = Reflect.get(parts, key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const name = text('name');
  const email = text('email');
  return Object.freeze({
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
