/** Base paths: where clients find a board. */

/**
 * A base path in its one form: '' for the root, else with a slash before it and none at its end. Throws a
 * `TypeError` for what cannot be a path, such as an address of another host.
 */
export function normalizeBasePath(basePath: string): string {
  const segments = basePath.split('/').filter((segment) => segment !== '');
  if (
    /[?#\\\s]/.test(basePath) ||
    segments.some((segment) => segment === '.' || segment === '..')
  ) {
    throw new TypeError('A base path is a path such as /admin/queues');
  }
  return segments.map((segment) => `/${segment}`).join('');
}
