/** Paths of mounts and requests: a base path in its normal form, paths below it, and the path of a target. */

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

/** The path below `basePath` ('' for the root); undefined outside of it. The base path itself is the root. */
export function below(basePath: string, path: string): string | undefined {
  if (!path.startsWith(basePath)) return undefined;
  const rest = path.slice(basePath.length);
  if (rest === '') return '/';
  return rest.startsWith('/') ? rest : undefined;
}
