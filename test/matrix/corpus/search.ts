/** Search: one folded, literal term in any of the configured paths. */

import { page, refused } from './case.ts';
import type { CorpusCase } from './case.ts';

const users = (name: string, request: string, keys: readonly number[], total?: number) =>
  page('users', name, request, keys, total);
const wide = (name: string, request: string, keys: readonly number[], total?: number) =>
  page('usersSearch', name, request, keys, total);

export const search: readonly CorpusCase[] = [
  users('matches any of the paths', 'search=bang!', [2, 14, 16, 26, 38, 50]),
  users('case is folded', 'search=ABC', [1, 2, 3, 4, 5]),
  users('surrounding spaces are trimmed', 'search=%20%20abc%20', [1, 2, 3, 4, 5]),
  users('inner spaces are significant', 'search=say%20%22', [18]),
  users('an empty term is ignored', 'search=&perPage=1', [1], 60),
  users('a term of spaces is ignored', 'search=%20%20&perPage=1', [1], 60),
  users('a percent sign is literal', 'search=%25', [10, 13]),
  users('an underscore is literal', 'search=_', [9, 12, 21, 33, 45, 46, 57]),
  users('a backslash is literal', 'search=\\', [14, 15]),
  users('an exclamation mark is literal', 'search=!%25', []),
  users('a quote is literal', "search=o'b", [17]),
  users('accents stay', 'search=zoë&filter[id][lt]=30', [1, 13, 25]),
  users('the term is normalized to NFC', 'search=zoe%CC%88&filter[id][lt]=30', [1, 13, 25]),
  users('a supplementary character', 'search=𝒜', [7, 19, 31, 43, 55]),
  users('a search and a filter', 'search=sam&filter[id][gt]=40', [41, 46, 53, 58]),
  users('a search and a sort', 'search=abc&sort=-name', [4, 1, 3, 2, 5]),
  users('a search with a pattern that matches no member', 'search=abc&filter[mood][like]=zz', []),
  users('a search with an empty list', 'search=abc&filter[verified][in]=', []),
  users('nothing found', 'search=nowhere', []),
  wide('through a one relation', 'search=umbrella&perPage=3', [5, 12, 19], 8),
  wide('roots without the relation are searched too', 'search=ﬀ', [21]),
  wide('through a join table', 'search=größe', [5, 6]),
  wide('through two hops', 'search=stripes', [2]),
  wide('through any relation, each root once', 'search=red', [1, 2, 3, 50]),
  wide(
    'wildcards through relations',
    'search=%25&perPage=20',
    [2, 4, 5, 6, 10, 12, 13, 19, 26, 33, 40, 47, 54],
  ),
  wide('a page of a search through a many relation', 'search=apple&perPage=1&page=2', [5], 2),
  wide(
    'an include of a searched relation',
    'search=maß&includes=orders,orders.lines&fields=id',
    [5],
  ),
  page('companies', 'native names through a relation', 'search=日本', [5, 7]),
  page('companies', 'a character of a motto', 'search=桜', [7]),
  page('orders', 'a coupon', 'search=SAVE10%25', [2, 3]),
  refused(
    'companies',
    'a term that is too long',
    `search=${'a'.repeat(1001)}`,
    'FILTER_VALUE_INVALID',
  ),
  refused('regions', 'search that is not configured', 'search=x', 'FIELD_NOT_ALLOWED', {
    param: 'search',
  }),
  page('regions', 'an empty search if none is configured', 'search=%20', [1, 2, 3, 4, 5, 6]),
  refused('users', 'search twice', 'search=a&search=b', 'QUERY_SYNTAX_INVALID'),
];
