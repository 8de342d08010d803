/** The pages of the documents by task, in the order of the sidebar and of llms.txt. Each page stands in one section. */

interface Section {
  readonly text: string;
  /** Paths of files in `docs`, without their ending. */
  readonly pages: readonly string[];
}

export const sections: readonly Section[] = [
  {
    text: 'Start',
    pages: [
      'start',
      'drizzle',
      'typeorm',
      'prisma',
      'sql',
      'existing',
      'frameworks',
      'nestjs',
      'init',
      'playground',
      'demo',
    ],
  },
  { text: 'How it fits together', pages: ['overview'] },
  {
    text: 'Guides',
    pages: [
      'guides/pagination',
      'guides/debounced-search',
      'guides/admin-table',
      'client',
      'guides/shared-rules',
      'tenants',
      'guides/soft-delete',
      'guides/large-tables',
      'guides/replicas',
      'scale',
      'time-limits',
      'profile',
      'companions',
      'computed-fields',
      'json-paths',
      'guides/testing',
      'guides/docker',
      'guides/serverless',
      'bundling',
      'guides/upgrading',
      'adapters',
    ],
  },
  {
    text: 'Boards',
    pages: [
      'board',
      'auth',
      'guides/permissions',
      'guides/redaction',
      'dashboard',
      'guides/incidents',
      'metrics',
      'guides/alerts',
      'command-line',
      'kubernetes',
      'queue-adapters',
    ],
  },
  { text: 'Reference', pages: ['cheat-sheet', 'requests', 'rules', 'errors', 'compatibility'] },
  {
    text: 'Coming from',
    pages: [
      'nestjs-paginate',
      'crud',
      'nestjs-query',
      'postgrest',
      'bull-board',
      'arena',
      'pg-boss-dashboard',
    ],
  },
  { text: 'Why', pages: ['comparison', 'matrix'] },
];
