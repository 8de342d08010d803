/**
 * Questions of the kind that fill issue trackers, as a stranger asks them, each with the section that answers it and words
 * of the answer. They were written before the pages that lacked.
 */

/** A question and the place of its answer. */
export type Question = readonly [asked: string, at: string, words: readonly string[]];

export const questions: readonly Question[] = [
  // Lists: requests.
  ['How can I combine filters with OR?', 'requests#groups', ['$or']],
  ['How do I negate a filter?', 'requests#groups', ['filter[$not]']],
  [
    'Can I filter by a column of a related table?',
    'requests#filters-on-related-tables',
    ['at least one related row'],
  ],
  [
    'Find rows where one related row matches several conditions',
    'requests#one-row-of-a-relation',
    ['$some'],
  ],
  [
    'How do I find rows whose relation is empty?',
    'requests#null-and-empty-relations',
    ['has no rows', 'isNull'],
  ],
  [
    'A filter on the relation must not drop the other included children',
    'requests#included-lists',
    ['leaves the rows of the list'],
  ],
  ['Filter rows created on one day', 'requests#whole-days', ['filter[createdAt]=2022-01-31']],
  ['Sort by the number of related rows', 'requests#counts-and-sums-of-a-relation', ['$count']],
  [
    'Do percent and underscore need escaping in like?',
    'requests#filters',
    ['have no special meaning'],
  ],
  ['Why is the plus sign of my timestamp a blank?', 'requests#lists', ['%2B']],
  ['How do I send a value that contains a comma?', 'requests#lists', ['double quotes']],
  ['The URL is too long for my list of ids', 'requests#long-requests', ['POST']],
  ['Why is a bigint returned as text?', 'requests#values', ['text of digits']],
  ['How do I filter for null?', 'requests#null-and-empty-relations', ['isNull']],
  ['How do I get a single row by id?', 'requests#one-row', ['ROW_NOT_FOUND']],
  [
    'Does cursor pagination lose rows when sorted values are equal or null?',
    'requests#pages',
    ['no row is missed or repeated'],
  ],
  // Lists: rules, errors, hosts.
  ['What is the maximum page size and how do I change it?', 'rules#settings', ['maxPerPage']],
  ['My own query parameter is refused as unknown', 'rules#settings', ['passthroughParams']],
  ['Included children are cut at 100', 'rules#included-lists', ['$truncated']],
  [
    'Express parses req.query in another way, may I pass it?',
    'rules#forms-of-a-request',
    ['raw query string'],
  ],
  [
    'Generate OpenAPI documentation of the parameters',
    'rules#what-follows-from-rules',
    ['openApiOperation'],
  ],
  ['How do I hide a column from clients?', 'rules#all-fields', ['internal']],
  [
    'Error 500 ADAPTER_CONTRACT_VIOLATION: where is the cause?',
    'errors#mistakes-of-the-application',
    ['`cause`'],
  ],
  ['Every query must be limited to the tenant of the user', 'tenants#scopes', ['scope']],
  ['How do I leave out soft deleted rows?', 'guides/soft-delete', ['deletedAt']],
  ['Count query is slow on a large table', 'guides/large-tables#the-total', ["'none'"]],
  ['Deep pages with offset are slow', 'guides/large-tables#deep-pages', ['keyset']],
  ['Which indexes are missing?', 'guides/large-tables#missing-indexes', ['sluice indexes']],
  ['Read from a replica but see my own writes', 'guides/replicas', ['hasWritten']],
  ['Prepared statements fail behind PgBouncer', 'scale#pgbouncer', ['namedStatements']],
  ['Stop slow queries when the client disconnects', 'time-limits', ['signal']],
  ['Search is case sensitive in one database only', 'matrix#native-and-portable', ['ilike']],
  ['I have a database and no ORM', 'existing#northwind-from-its-catalogue', ['introspect']],
  ['Does it run on Cloudflare Workers, Bun or Deno?', 'frameworks#runtimes', ['Bun']],
  ['How do I use it with Next.js?', 'frameworks#nextjs', ['nextBoard']],
  ['Too many connections from AWS Lambda', 'guides/serverless#limits-of-functions', ['pooler']],
  ['How do I test my list endpoint?', 'guides/testing#the-tests', ['node:test']],
  // Lists: interfaces.
  ['Infinite scroll with React Query', 'guides/pagination#load-more', ['useInfiniteQuery']],
  [
    'Search as you type sends a request for every letter',
    'guides/debounced-search#the-field',
    ['useDebounced'],
  ],
  [
    'Server side sorting and filtering with TanStack Table',
    'guides/admin-table#from-a-tables-state-to-a-request',
    ['manualSorting'],
  ],
  ['Share types of the rules with the frontend', 'guides/shared-rules#the-files', ['import type']],
  ['Will an upgrade invalidate cursors?', 'compatibility#cursors', ['minor version']],
  [
    'Does removing a filter break clients?',
    'compatibility#changes-of-your-rules',
    ['filter-removed'],
  ],
  // Boards.
  ['How do I put the dashboard behind a password?', 'auth#a-user-name-and-a-password', ['basic']],
  [
    'Only admins may retry or delete jobs, others are read only',
    'guides/permissions#three-roles',
    ['job.retry'],
  ],
  ['Dashboard behind nginx under a sub path', 'auth#behind-a-proxy', ['publicUrl']],
  ['Hide personal data in job payloads', 'guides/redaction', ['formatters']],
  ['Find a job by a value in its data', 'board#search', ['`path`, `value`']],
  ['Retry thousands of failed jobs at once', 'board#runs-over-many-jobs', ['"action": "retry"']],
  ['A queue fails, what do I do first?', 'guides/incidents', ['*Pause*']],
  [
    'Job is stuck in active after the worker crashed',
    'guides/incidents#jobs-that-hang',
    ['*Release*'],
  ],
  ['Alert when jobs fail or a queue has no workers', 'guides/alerts#the-rules', ['NobodyWorks']],
  ['Does the board have a Prometheus endpoint?', 'guides/alerts#the-exporter', ['/metrics']],
  ['How many jobs completed last week?', 'metrics', ['historyProvider']],
  ['Show BullMQ and pg-boss queues in one page', 'board#both-engines-in-one-page', ['engines']],
  ['Is there a dashboard for pg-boss?', 'board#queues-of-pg-boss', ["engine: 'pgq'"]],
  ['Run the dashboard in Docker', 'guides/docker#a-board-without-a-program', ['BOARD_KV_URL']],
  ['Sessions are lost with several instances', 'auth#several-instances', ['cookie.secret']],
  ['Replace bull-board', 'bull-board#mounting', ['createBullBoard']],
  [
    'Replace nestjs-paginate without changing clients',
    'nestjs-paginate#without-a-change-for-clients',
    ['fromNestjsPaginate'],
  ],
];
