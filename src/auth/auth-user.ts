/** The user of a request. */

import type { AuthUser } from './options.ts';

/** The property of a request that contains its user. */
const userKey = Symbol('sluice user');

interface Identified {
  [userKey]?: AuthUser;
}

/** Stores the user of a request. */
export function attachUser(request: object, user: AuthUser): void {
  (request as Identified)[userKey] = user;
}

/** Stores the user of one request for another object that represents it. */
export function shareUser(from: object, to: object): void {
  const user = (from as Identified)[userKey];
  if (user !== undefined) attachUser(to, user);
}

/** Properties in which frameworks and the board's hooks keep Node's request. */
const ways = ['raw', 'req', 'request', 'native', 'env', 'incoming'] as const;

/** Maximum number of such properties from the outermost object to the request. */
const furthest = 4;

/**
 * Returns the user of a request that passed the middleware, or `undefined`. Accepts Node's request, the `Request` of the
 * Fetch API, the request of Express or Fastify, the context of Koa or Hono, the request that the board passes to hooks and visibility guards, or
 * an object that contains one of them.
 */
export function getAuthUser(request: object): AuthUser | undefined {
  const holder: Identified | undefined = holderOf(request);
  return holder?.[userKey];
}

/** The request that passed the middleware: this object, or one that it contains. */
export function holderOf(request: object): object | undefined {
  const seen = new Set<object>();
  let holders: object[] = [request];
  for (let distance = 0; distance <= furthest && holders.length > 0; distance += 1) {
    const next: object[] = [];
    for (const holder of holders) {
      if ((holder as Identified)[userKey] !== undefined) return holder;
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

/**
 * Whether the value is a user with a name and with properties of the right types. `null` counts as absent, so that a row
 * of a table is a user.
 */
export function isNamedUser(value: unknown): value is Pick<AuthUser, 'username'> {
  if (typeof value !== 'object' || value === null) return false;
  const part = (key: keyof AuthUser): unknown => Reflect.get(value, key) ?? undefined;
  const username = part('username');
  const roles = part('roles');
  return (
    typeof username === 'string' &&
    username !== '' &&
    (['id', 'name', 'email'] as const).every((key) =>
      ['string', 'undefined'].includes(typeof part(key)),
    ) &&
    (roles === undefined || (Array.isArray(roles) && texts(roles).length === roles.length))
  );
}

/** Creates a frozen user from untrusted parts: strings are kept, all other values are left out. */
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

/** The strings of a list. */
export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
