/** The pages of the documents by task, in the order of the sidebar and of llms.txt. Each page stands in one section. */

interface Section {
  readonly text: string;
  /** Names of files in `docs`, without their ending. */
  readonly pages: readonly string[];
}

export const sections: readonly Section[] = [
  { text: 'Start', pages: ['start', 'init', 'cheat-sheet', 'demo'] },
  { text: 'How it fits together', pages: ['overview'] },
  {
    text: 'Guides',
    pages: [
      'drizzle',
      'typeorm',
      'prisma',
      'sql',
      'existing',
      'nestjs',
      'frameworks',
      'client',
      'tenants',
      'json-paths',
      'companions',
      'scale',
      'time-limits',
      'profile',
      'bundling',
      'compatibility',
      'adapters',
    ],
  },
  {
    text: 'Boards',
    pages: [
      'board',
      'auth',
      'dashboard',
      'command-line',
      'kubernetes',
      'metrics',
      'queue-adapters',
    ],
  },
  { text: 'Reference', pages: ['requests', 'rules', 'errors'] },
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
  { text: 'Why', pages: ['matrix'] },
];
