/** The user that the claims of a realm's tokens name. */

import type { JWTPayload } from 'jose';
import { texts, userOf } from '../auth-user.ts';
import type { AuthUser } from '../options.ts';

/** Roles of the realm, and of the client. */
function rolesOf(claims: JWTPayload, clientId: string): string[] {
  const clients = member(claims, 'resource_access');
  return [
    ...texts(member(member(claims, 'realm_access'), 'roles')),
    ...texts(member(member(clients, clientId), 'roles')),
  ];
}

/** An own property: a client named `constructor` has no roles by that. */
function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  const found: unknown = Reflect.get(value, key);
  return found;
}

/** The name that people know: the user name, else the address, else the subject. */
export function nameOf(claims: JWTPayload): string | undefined {
  const names = [claims['preferred_username'], claims['email'], claims.sub];
  return texts(names).find((name) => name !== '');
}

/** The user that the claims name. */
export function userFromClaims(claims: JWTPayload, clientId: string): AuthUser {
  return userOf(
    {
      username: nameOf(claims),
      name: claims['name'],
      email: claims['email'],
      roles: rolesOf(claims, clientId),
    },
    'unknown',
  );
}

/** The user after a refresh: what the new claims leave out stays as it was, except for roles. */
export function refreshedUser(before: AuthUser, claims: JWTPayload, clientId: string): AuthUser {
  const { preferred_username: username, name, email } = claims;
  return userFromClaims(
    {
      ...claims,
      preferred_username: username ?? before.username,
      name: name ?? before.name,
      email: email ?? before.email,
    },
    clientId,
  );
}

/** Whether the user has one of the roles that the board asks for, if it asks for any. */
export function hasRequiredRole(user: AuthUser, required: readonly string[]): boolean {
  return required.length === 0 || required.some((role) => user.roles.includes(role));
}
