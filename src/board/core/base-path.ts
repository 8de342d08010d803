/** Base paths: where clients find a board. */

/**
 * A base path in its one form: '' for the root, else with a slash before it and none at its end.
 *
 * @throws {TypeError} when it cannot be a path, such as a URL of another host
 */
export function normalizeBasePath(basePath: string): string {
  const isPath = typeof basePath === 'string' && !/[?#\\\s]/.test(basePath);
  const segments = isPath ? basePath.split('/').filter((segment) => segment !== '') : ['.'];
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    throw new TypeError('"basePath" must be a path such as /admin/queues');
  }
  return segments.map((segment) => `/${segment}`).join('');
}
