/** nestjs-paginate, from a parsed request to the page: with its defaults, and in its best configuration. */

import 'reflect-metadata';
import type { ExecutionContext } from '@nestjs/common';
import { FilterOperator, Paginate, PaginationType, paginate } from 'nestjs-paginate';
import type { PaginateConfig, PaginateQuery } from 'nestjs-paginate';
import { peer } from './contender.ts';
import type { Answer, Contender } from './contender.ts';
import { pageOf, perPage } from './requests.ts';
import type { After, FirstName, RequestValues } from './requests.ts';
import { typeormDataSource, typeormEntities } from './typeorm-entities.ts';
import type { Post, TypeormFamily, User } from './typeorm-entities.ts';

const shown = ['id', 'name', 'email', 'age', 'active', 'createdAt', 'companyId'] as const;

/** The properties of an Express request that the parser reads. */
export interface Request {
  readonly protocol: string;
  readonly originalUrl: string;
  readonly query: Readonly<Record<string, string | string[]>>;
  get(header: string): string;
}

/** The parser behind `@Paginate()`, from the metadata of a handler's parameter, as in Nest. */
export function requestParser(): (request: Request) => PaginateQuery {
  class Controller {
    list(query: PaginateQuery): PaginateQuery {
      return query;
    }
  }
  Paginate()(Controller.prototype, 'list', 0);
  type Factory = (data: unknown, context: Partial<ExecutionContext>) => PaginateQuery;
  const parameters: Readonly<Record<string, { readonly factory: Factory }>> = Reflect.getMetadata(
    '__routeArguments__',
    Controller,
    'list',
  );
  const factory = Object.values(parameters)[0]?.factory;
  if (factory === undefined) throw new Error('The parser of nestjs-paginate was not found.');
  return (request) => {
    const http = {
      getRequest: () => request,
      getResponse: () => undefined,
      getNext: () => undefined,
    };
    return factory(undefined, {
      getType: <T extends string>() => 'http' as T,
      switchToHttp: () => http as ReturnType<ExecutionContext['switchToHttp']>,
    });
  };
}

/** The cursor after a row in the order of Q7, in the form of the library's own `links.next`. */
function cursorAfter({ createdAt, id }: After): string {
  const instant = String(createdAt.getTime()).padStart(15, '0');
  return `V${instant}V${String(id).padStart(11, '0')}V0000`;
}

/** The text is bound unchanged, so `true` would match nothing on SQLite; PostgreSQL accepts both. */
const active = '$eq:1';

/** The parameters of a client; `byRelation` filters the company through its relation. */
function parameters(
  request: FirstName,
  values: RequestValues,
  byRelation: boolean,
): Record<string, string | string[]> {
  const newestFirst = ['createdAt:DESC', 'id:DESC'];
  const range = {
    'filter.age': `$btw:${values.ageLow},${values.ageHigh}`,
    'filter.active': active,
    sortBy: newestFirst,
  };
  const limit = String(perPage);
  const page = String(pageOf(request, values));
  switch (request) {
    case 'Q0': {
      const path = byRelation ? 'filter.company.id' : 'filter.companyId';
      return { [path]: `$eq:${values.companyId}`, limit };
    }
    case 'Q1':
    case 'Q2':
      return { ...range, page, limit };
    case 'Q3':
      return {
        'filter.posts.title': `$ilike:${values.word}`,
        sortBy: ['name:ASC', 'id:ASC'],
        limit,
      };
    case 'Q4':
      return { 'filter.active': active, limit };
    case 'Q5':
      return { 'filter.active': active, sortBy: newestFirst, page, limit };
    case 'Q6':
      return { search: values.term, limit };
    case 'Q7': {
      const cursor = cursorAfter(values.after);
      return { 'filter.active': active, sortBy: newestFirst, limit, cursor };
    }
  }
}

/** The relations and columns of the two requests with an include. */
const included = {
  Q2: { relations: ['company'], select: ['company.id', 'company.name', 'company.country'] },
  Q4: { relations: ['posts'], select: ['posts.id', 'posts.title'] },
} satisfies Partial<Record<FirstName, Pick<PaginateConfig<User>, 'relations' | 'select'>>>;

/** `take` and `skip` are the default, because limit and offset count the rows of a joined collection. */
function paginationType(request: FirstName, tuned: boolean): PaginationType {
  if (request === 'Q7') return PaginationType.CURSOR;
  return tuned && request !== 'Q4' ? PaginationType.LIMIT_AND_OFFSET : PaginationType.TAKE_AND_SKIP;
}

/** The configuration of an endpoint. A request cannot choose its includes, so each include needs its own. */
function configuration(request: FirstName, tuned: boolean): PaginateConfig<User> {
  const includes = request === 'Q2' || request === 'Q4' ? included[request] : undefined;
  return {
    paginationType: paginationType(request, tuned),
    optimizedCount: tuned,
    maxLimit: 100,
    // Its cursor mode fails where columns are selected.
    ...(request !== 'Q7' && { select: [...shown, ...(includes?.select ?? [])] }),
    ...(includes !== undefined && { relations: includes.relations }),
    sortableColumns: ['id', 'name', 'createdAt'],
    defaultSortBy: [['id', 'ASC']],
    searchableColumns: ['nameFolded', 'emailFolded'],
    filterableColumns: {
      companyId: [FilterOperator.EQ],
      'company.id': [FilterOperator.EQ],
      age: [FilterOperator.BTW],
      active: [FilterOperator.EQ],
      'posts.title': [FilterOperator.ILIKE],
    },
  };
}

function shownOf(user: User): object {
  return Object.fromEntries(shown.map((name) => [name, user[name]]));
}

/** Sorts the rows of an include, which the library cannot, and removes the extra columns of its cursor mode. */
function comparable(request: FirstName, answer: Answer): Answer {
  const rows = answer.data as readonly User[];
  if (request === 'Q4') {
    const byId = (one: Post, other: Post): number => one.id - other.id;
    return { ...answer, data: rows.map((user) => ({ ...user, posts: user.posts.toSorted(byId) })) };
  }
  if (request === 'Q7') {
    return { ...answer, data: rows.map(shownOf) };
  }
  return answer;
}

/** Created once, as in an application. */
function allConfigurations(tuned: boolean): Record<FirstName, PaginateConfig<User>> {
  return {
    Q0: configuration('Q0', tuned),
    Q1: configuration('Q1', tuned),
    Q2: configuration('Q2', tuned),
    Q3: configuration('Q3', tuned),
    Q4: configuration('Q4', tuned),
    Q5: configuration('Q5', tuned),
    Q6: configuration('Q6', tuned),
    Q7: configuration('Q7', tuned),
  };
}

/** The library on its own data source. It has one cursor mode, so the tuned form omits it. */
export async function nestjsPaginate(family: TypeormFamily, tuned: boolean): Promise<Contender> {
  const entities = typeormEntities(family);
  const dataSource = await typeormDataSource(family, entities);
  const users = dataSource.getRepository(entities.user);
  const parse = requestParser();
  const configurations = allConfigurations(tuned);
  const names = ['Q0', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6'] as const;

  return {
    name: tuned ? peer.nestjsPaginateTuned : peer.nestjsPaginate,
    requests: tuned ? names : [...names, 'Q7'],
    async answer(request: FirstName, values): Promise<Answer> {
      const query = parse({
        protocol: 'http',
        originalUrl: '/users',
        query: parameters(request, values, !tuned),
        get: () => 'localhost',
      });
      const config = configurations[request];
      const { data, meta } = await paginate(query, users, config);
      return { data, total: meta.totalItems };
    },
    comparable,
    close: () => dataSource.destroy(),
  };
}
