/** The libraries that are compared on lists: how each is asked for the same rows, and for what it should refuse. */

/** A request over HTTP: a path, and a body where it is sent with POST. */
export interface PeerRequest {
  readonly path: string;
  readonly body?: object;
}

type Row = Readonly<Record<string, unknown>>;

interface Connection {
  readonly nodes: readonly Row[];
  readonly totalCount: number;
}

/** The members of an answer of any of the libraries. */
interface Body {
  readonly data: readonly Row[] & { readonly users: Connection; readonly allUsers: Connection };
  readonly items: readonly Row[];
  readonly total: number;
  readonly meta: { readonly total: number; readonly totalItems: number };
  readonly aggregates: { readonly $count: number };
}

/** The rows of an answer, and the number of all that match. */
export interface PeerAnswer {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** What clients get wrong; `large` asks for a million rows. */
export const mistakes = ['misspelt', 'notANumber', 'noLimit', 'large', 'hidden'] as const;

export type Mistake = (typeof mistakes)[number];

/** The text of a mistake in the table. */
export const mistakeTitles: Readonly<Record<Mistake, string>> = {
  misspelt: 'a misspelt filter, `agee`',
  notANumber: '`abc` for a number',
  noLimit: 'no limit',
  large: 'a limit of a million',
  hidden: 'a hidden column as a condition',
};

export interface Library {
  readonly name: string;
  /** The program in `servers`. */
  readonly program: string;
  /** The packages that a project installs for it, its name first. */
  readonly packages: readonly string[];
  /** Twenty users of a company by id, and how many there are. */
  readonly page: (company: number) => PeerRequest;
  /** Absent of the reference, which checks nothing. */
  readonly mistakes?: Readonly<Record<Mistake, PeerRequest>>;
  readonly read: (body: Body) => PeerAnswer;
}

/** The requests of a library, by its own texts for conditions and limits; the last user is asked for by a hidden column. */
function requests(
  page: (condition: string, limit: string) => PeerRequest,
  conditions: Readonly<Record<'company' | 'misspelt' | 'notANumber' | 'hidden', string>>,
  limit: (count: number) => string,
): Pick<Library, 'page' | 'mistakes'> {
  const one = (condition: string): PeerRequest => page(condition, limit(20));
  return {
    page: (company) => one(conditions.company.replace('5', String(company))),
    mistakes: {
      misspelt: one(conditions.misspelt),
      notANumber: one(conditions.notANumber),
      noLimit: page('', ''),
      large: page('', limit(1_000_000)),
      hidden: one(conditions.hidden),
    },
  };
}

/** A value of the hidden column that one user has. */
const folded = 'omar.gruber.1@example.org';

const inPath =
  (path: string, rest = '') =>
  (condition: string, limit: string): PeerRequest => ({
    path: `${path}?${[condition, limit, rest].filter(Boolean).join('&')}`,
  });

const inGraphQl =
  (query: (condition: string, limit: string) => string) =>
  (condition: string, limit: string): PeerRequest => ({
    path: '/graphql',
    body: { query: query(condition, limit) },
  });

const nest = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'reflect-metadata'];
const typeorm = ['pg', 'rxjs', 'typeorm'];

/** The libraries, behind the reference by hand. */
export const libraries: readonly Library[] = [
  {
    name: 'by hand',
    program: 'by-hand.mjs',
    packages: ['express', 'pg'],
    page: (company) => ({ path: `/users?companyId=${company}` }),
    read: ({ data, total }) => ({ rows: data, total }),
  },
  {
    name: 'Sluice',
    program: 'sluice.ts',
    packages: ['sluice', 'express', 'pg'],
    ...requests(
      inPath('/users'),
      {
        company: 'filter[companyId]=5',
        misspelt: 'filter[agee]=40',
        notANumber: 'filter[age]=abc',
        hidden: `filter[emailFolded]=${folded}`,
      },
      (count) => `perPage=${count}`,
    ),
    read: ({ data, total }) => ({ rows: data, total }),
  },
  {
    name: 'nestjs-paginate',
    program: 'nestjs-paginate.mjs',
    packages: ['nestjs-paginate', '@nestjs/swagger', 'express', ...nest, ...typeorm],
    ...requests(
      inPath('/users'),
      {
        company: 'filter.companyId=$eq:5',
        misspelt: 'filter.agee=$eq:40',
        notANumber: 'filter.age=$eq:abc',
        hidden: `filter.emailFolded=$eq:${folded}`,
      },
      (count) => `limit=${count}`,
    ),
    read: ({ data, meta }) => ({ rows: data, total: meta.totalItems }),
  },
  {
    name: 'nestjs-query',
    program: 'nestjs-query.mjs',
    packages: [
      '@ptc-org/nestjs-query-graphql',
      '@ptc-org/nestjs-query-core',
      '@ptc-org/nestjs-query-typeorm',
      '@apollo/server',
      '@as-integrations/express5',
      '@nestjs/apollo',
      '@nestjs/graphql',
      '@nestjs/typeorm',
      'class-transformer',
      'class-validator',
      'dataloader',
      'graphql',
      'graphql-subscriptions',
      ...nest,
      ...typeorm,
    ],
    ...requests(
      inGraphQl(
        (condition, limit) =>
          `{ users(filter: { ${condition} }, ${limit} sorting: [{ field: id, direction: ASC }])
            { nodes { id name email age active createdAt companyId } totalCount } }`,
      ),
      {
        company: 'companyId: { eq: 5 }',
        misspelt: 'agee: { eq: 40 }',
        notANumber: 'age: { eq: "abc" }',
        hidden: `emailFolded: { eq: "${folded}" }`,
      },
      (count) => `paging: { limit: ${count} },`,
    ),
    read: ({ data }) => ({ rows: data.users.nodes, total: data.users.totalCount }),
  },
  {
    name: 'PostGraphile',
    program: 'postgraphile.mjs',
    packages: ['postgraphile', 'graphql', 'pg'],
    // Conditions are on columns with an index; others need a plugin.
    ...requests(
      inGraphQl(
        (condition, limit) =>
          `{ allUsers(condition: { ${condition} }, ${limit} orderBy: [PRIMARY_KEY_ASC])
            { nodes { id: rowId name email age active createdAt companyId } totalCount } }`,
      ),
      {
        company: 'companyId: 5',
        misspelt: 'agee: 40',
        notANumber: 'companyId: "abc"',
        hidden: `emailFolded: "${folded}"`,
      },
      (count) => `first: ${count},`,
    ),
    read: ({ data }) => ({ rows: data.allUsers.nodes, total: data.allUsers.totalCount }),
  },
  {
    name: 'ZenStack',
    program: 'zenstack.mjs',
    packages: ['@zenstackhq/server', '@zenstackhq/orm', '@zenstackhq/schema', 'express', 'pg'],
    ...requests(
      inPath('/api/user', 'sort=id'),
      {
        company: 'filter[companyId]=5',
        misspelt: 'filter[agee]=40',
        notANumber: 'filter[age]=abc',
        hidden: `filter[emailFolded]=${folded}`,
      },
      (count) => `page[limit]=${count}`,
    ),
    read: ({ data, meta }) => ({
      rows: data.map(({ id, attributes }) => ({ id, ...(attributes as Row) })),
      total: meta.total,
    }),
  },
  {
    name: 'Remult',
    program: 'remult.mjs',
    packages: ['remult', 'express', 'pg'],
    ...requests(
      (condition, limit) => ({
        path: `/api/users?__action=query&${condition}&${limit}`,
        body: { aggregate: {} },
      }),
      {
        company: 'companyId=5',
        misspelt: 'agee=40',
        notANumber: 'age=abc',
        hidden: `emailFolded=${folded}`,
      },
      (count) => `_limit=${count}`,
    ),
    read: ({ items, aggregates }) => ({ rows: items, total: aggregates.$count }),
  },
  {
    name: 'FeathersJS',
    program: 'feathers.mjs',
    packages: [
      '@feathersjs/feathers',
      '@feathersjs/express',
      '@feathersjs/knex',
      '@feathersjs/schema',
      'knex',
      'pg',
    ],
    ...requests(
      inPath('/users', '$sort[id]=1'),
      {
        company: 'company_id=5',
        misspelt: 'agee=40',
        notANumber: 'age=abc',
        hidden: `email_folded=${folded}`,
      },
      (count) => `$limit=${count}`,
    ),
    read: ({ data, total }) => ({
      rows: data.map(({ created_at: createdAt, company_id: companyId, ...row }) => ({
        ...row,
        createdAt,
        companyId,
      })),
      total,
    }),
  },
];
