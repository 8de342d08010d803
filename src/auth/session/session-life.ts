/** Lifetime of a session, independent of provider and browser: absolute limit and idle timeout. */

/** Limits of the host, in seconds. */
export interface SessionLimits {
  /** Maximum time since the login. */
  readonly maxAgeSeconds: number;
  /** Maximum time since the last use; `null` means no limit. */
  readonly idleSeconds: number | null;
}

/** Timestamps in a session, in seconds since 1970. */
export interface SessionAge {
  /** Time of the login. */
  readonly since: number;
  /** Time when the cookie was last sealed: at the login, a refresh, or a use. */
  readonly seen: number;
}

/** The current time in seconds since 1970, with a fraction, which short idle timeouts need. */
export const nowInSeconds = (): number => Date.now() / 1000;

/** End of a session in seconds since 1970, if it is not used again. */
export function endOf({ since, seen }: SessionAge, limits: SessionLimits): number {
  const absolute = since + limits.maxAgeSeconds;
  return limits.idleSeconds === null ? absolute : Math.min(absolute, seen + limits.idleSeconds);
}

/**
 * Time in seconds since 1970 from which a use seals the cookie again. Half of the idle timeout avoids this on most
 * requests: a session ends between half and all of the timeout after its last use.
 */
export function renewalOf({ seen }: SessionAge, { idleSeconds }: SessionLimits): number {
  return idleSeconds === null ? Number.POSITIVE_INFINITY : seen + idleSeconds / 2;
}
