/** Search: one folded, literal term in any of the configured paths. */

import { page, refused } from './case.ts';
import type { CorpusCase } from './case.ts';

const users = (name: string, request: string, keys: readonly number[], total?: number) =>
  page('users', name, request, keys, total);
const wide = (name: string, request: string, keys: readonly number[], total?: number) =>
  page('usersSearch', name, request, keys, total);

export const search: readonly CorpusCase[] = [
  users('any of the paths', 'search=bang!', [2, 14, 16, 26, 38, 50]),
  users('case is folded', 'search=ABC', [1, 2, 3, 4, 5]),
  users('outer blanks are trimmed', 'search=%20%20abc%20', [1, 2, 3, 4, 5]),
  users('inner blanks count', 'search=say%20%22', [18]),
  users('the empty term is absent', 'search=&perPage=1', [1], 60),
  users('blanks alone are absent', 'search=%20%20&perPage=1', [1], 60),
  users('a percent sign is itself', 'search=%25', [10, 13]),
  users('an underscore is itself', 'search=_', [9, 12, 21, 33, 45, 46, 57]),
  users('a backslash is itself', 'search=\\', [14, 15]),
  users('an exclamation mark is itself', 'search=!%25', []),
  users('a quote is itself', "search=o'b", [17]),
  users('accents stay', 'search=zoë&filter[id][lt]=30', [1, 13, 25]),
  users('the term is composed', 'search=zoe%CC%88&filter[id][lt]=30', [1, 13, 25]),
  users('a term beyond 16 bits', 'search=𝒜', [7, 19, 31, 43, 55]),
  users('a search and a filter', 'search=sam&filter[id][gt]=40', [41, 46, 53, 58]),
  users('a search and a sort', 'search=abc&sort=-name', [4, 1, 3, 2, 5]),
  users('a search beside a pattern of no member', 'search=abc&filter[mood][like]=zz', []),
  users('a search beside an empty list', 'search=abc&filter[verified][in]=', []),
  users('nothing found', 'search=nowhere', []),
  wide('through a one relation', 'search=umbrella&perPage=3', [5, 12, 19], 8),
  wide('roots without the relation are kept', 'search=ﬀ', [21]),
  wide('through a join table', 'search=größe', [5, 6]),
  wide('through two hops', 'search=stripes', [2]),
  wide('through any of them, each root once', 'search=red', [1, 2, 3, 50]),
  wide(
    'wildcards through relations',
    'search=%25&perPage=20',
    [2, 4, 5, 6, 10, 12, 13, 19, 26, 33, 40, 47, 54],
  ),
  wide('a page of a search through many', 'search=apple&perPage=1&page=2', [5], 2),
  wide(
    'an include beside a search through it',
    'search=maß&includes=orders,orders.lines&fields=id',
    [5],
  ),
  page('companies', 'native names through a relation', 'search=日本', [5, 7]),
  page('companies', 'a character of a motto', 'search=桜', [7]),
  page('orders', 'a coupon', 'search=SAVE10%25', [2, 3]),
  refused('companies', 'a term too long', `search=${'a'.repeat(1001)}`, 'FILTER_VALUE_INVALID'),
  refused('regions', 'search that is not configured', 'search=x', 'FIELD_NOT_ALLOWED', {
    param: 'search',
  }),
  page('regions', 'an empty search where none is configured', 'search=%20', [1, 2, 3, 4, 5, 6]),
  refused('users', 'search twice', 'search=a&search=b', 'QUERY_SYNTAX_INVALID'),
];
