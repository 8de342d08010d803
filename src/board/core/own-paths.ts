/** The paths that a board serves itself. */

/**
 * Where the dashboard shows a page of its own: each of them serves the same document. Patterns in the form of the
 * dashboard's router; `:name` stands for one segment.
 */
const clientRoutes = [
  '/',
  '/metrics-history',
  '/job-schedulers',
  '/queue/:queueName',
  '/queue/:queueName/:jobId',
  '/warnings',
  '/schedules',
  '/errors',
  '/workers',
  '/metrics',
] as const;

const patterns = clientRoutes.map(
  (route) => new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`),
);

/** First segments of these paths, of those of the API and its files, and of the authentication; '' for the root. */
export const ownSegments: ReadonlySet<string> = new Set([
  'api',
  'assets',
  'auth',
  'static',
  ...clientRoutes.map((route) => route.split('/', 2)[1] ?? ''),
]);

/** Whether a path, still encoded, serves the document. A trailing slash makes no difference. */
export function isClientRoute(path: string): boolean {
  return patterns.some((pattern) => pattern.test(path));
}
