/** The paths of the board at which the dashboard shows a page of its own: each of them serves the same document. */

/** Patterns in the form of the dashboard's router; `:name` stands for one segment. */
export const clientRoutes = [
  '/',
  '/metrics-history',
  '/job-schedulers',
  '/queue/:queueName',
  '/queue/:queueName/:jobId',
  '/warnings',
  '/schedules',
  '/workers',
  '/metrics',
] as const;

const patterns = clientRoutes.map(
  (route) => new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`),
);

/** Whether a path, still encoded, serves the document. A trailing slash makes no difference. */
export function isClientRoute(path: string): boolean {
  return patterns.some((pattern) => pattern.test(path));
}
