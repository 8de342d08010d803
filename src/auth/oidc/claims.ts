/** Maps the claims of a provider's tokens to a user. */

import type { JWTPayload } from 'jose';
import { texts, userOf } from '../auth-user.ts';
import type { AuthClaims, AuthUser } from '../options.ts';

/** Returns the roles of a user, given the claims. */
export type RolesOf = (claims: JWTPayload) => readonly string[];

/**
 * Roles of the realm and of the client, from the claims of Keycloak. If the board requires roles, only those are kept,
 * because a session has little space.
 */
export function realmRoles(clientId: string, required: readonly string[]): RolesOf {
  return (claims) => {
    const clients = member(claims, 'resource_access');
    const roles = [
      ...texts(member(member(claims, 'realm_access'), 'roles')),
      ...texts(member(member(clients, clientId), 'roles')),
    ];
    return required.length === 0 ? roles : roles.filter((role) => required.includes(role));
  };
}

/** Reads only own properties: a client named `constructor` must not get roles from the prototype. */
function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  const found: unknown = Reflect.get(value, key);
  return found;
}

/** The email address, if the provider has verified it. */
function emailOf(claims: JWTPayload): unknown {
  const verified = claims['email_verified'];
  return verified === true || verified === 'true' ? claims['email'] : undefined;
}

/** The display name: the user name, else the verified email address, else the subject. */
export function nameOf(claims: JWTPayload): string | undefined {
  const names = [claims['preferred_username'], emailOf(claims), claims.sub];
  return texts(names).find((name) => name !== '');
}

export function userFromClaims(claims: JWTPayload, rolesOf: RolesOf): AuthUser {
  return userOf(
    {
      id: claims.sub,
      username: nameOf(claims),
      name: claims['name'],
      email: emailOf(claims),
      roles: rolesOf(claims),
    },
    'unknown',
  );
}

/** The user after a refresh: properties missing from the new claims keep their values, except for roles. */
export function refreshedUser(before: AuthUser, claims: JWTPayload, rolesOf: RolesOf): AuthUser {
  const { preferred_username: username, name } = claims;
  return userOf(
    {
      id: before.id,
      username: username ?? before.username,
      name: name ?? before.name,
      email: 'email' in claims ? emailOf(claims) : before.email,
      roles: rolesOf(claims),
    },
    before.username,
  );
}

export function pickClaims(claims: AuthClaims, names: readonly string[]): AuthClaims {
  const found = names.filter((name) => Object.hasOwn(claims, name));
  return Object.freeze(Object.fromEntries(found.map((name) => [name, claims[name]])));
}

/** Whether the user has one of the required roles, or no role is required. */
export function hasRequiredRole(user: AuthUser, required: readonly string[]): boolean {
  return required.length === 0 || required.some((role) => user.roles.includes(role));
}
