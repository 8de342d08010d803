/** The address of the page: database, list and query behind the hash, so that a link shows the same request. */

import type { Example, Meta } from './data.ts';
import { readable } from './request/query.ts';

export interface Address {
  readonly database: string;
  readonly list: string;
  readonly query: string;
}

export const hashOf = ({ database, list, query }: Address): string =>
  `#/${database}/${list}${query === '' ? '' : `?${query}`}`;

const exampleAddress = ({ database, list, query }: Example): Address => ({
  database,
  list,
  query: readable(query),
});

/** The address of the window; a known one in place of one that is not. */
export function readAddress({ endpoints, examples }: Meta): Address {
  const [, database, list, query = ''] = /^#\/(\w+)\/(\w+)(?:\?(.*))?$/s.exec(location.hash) ?? [];
  const known = endpoints.find((each) => each.database === database && each.list === list);
  if (known) return { database: known.database, list: known.list, query: readable(query) };
  const first =
    location.hash === ''
      ? examples.find(({ query }) => query.includes('includes=country,country.languages'))
      : undefined;
  if (first) return exampleAddress(first);
  return {
    database: endpoints[0]?.database ?? '',
    list: endpoints[0]?.list ?? '',
    query: '',
  };
}

export { exampleAddress };
