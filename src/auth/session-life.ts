/** How long a session holds, whatever the provider and the browser say: absolute, and without use. */

/** Limits of the host, in seconds. */
export interface SessionLimits {
  /** Since the login. */
  readonly maxAgeSeconds: number;
  /** Since the last use; `null` sets no limit. */
  readonly idleSeconds: number | null;
}

/** What a session says of its own age, in seconds since 1970. */
export interface SessionAge {
  /** The login. */
  readonly since: number;
  /** When the cookie was sealed last: at the login, a refresh, or a use. */
  readonly seen: number;
}

/** Seconds since 1970, with a fraction: short idle times are held to it. */
export const nowInSeconds = (): number => Date.now() / 1000;

/** When a session ends, used or not, in seconds since 1970. */
export function endOf({ since, seen }: SessionAge, limits: SessionLimits): number {
  const absolute = since + limits.maxAgeSeconds;
  return limits.idleSeconds === null ? absolute : Math.min(absolute, seen + limits.idleSeconds);
}

/**
 * From when on a use seals the cookie anew, in seconds since 1970. Half of the idle time keeps most requests from doing
 * it: a session ends between half and the whole of it after the last use.
 */
export function renewalOf({ seen }: SessionAge, { idleSeconds }: SessionLimits): number {
  return idleSeconds === null ? Number.POSITIVE_INFINITY : seen + idleSeconds / 2;
}
