/** Normalises the base path of a mount, and takes paths from request targets. */

/**
 * Normalizes a base path: '' for the root, else with a leading slash and without a trailing one; `undefined` when the
 * value is not a path, such as a URL of another host. Characters that end a cookie's `Path` or need encoding are
 * refused.
 */
export function normalizeBasePath(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^[\w\-.~!$&'()*+,=:@%/]*$/.test(value)) return undefined;
  const segments = value.split('/').filter((segment) => segment !== '');
  // Browsers take an encoded dot for a dot here.
  if (segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) return undefined;
  // A scheme would make the path a URL.
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return undefined;
  return segments.map((segment) => `/${segment}`).join('');
}

/** The path of a target, without its query string. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
}
