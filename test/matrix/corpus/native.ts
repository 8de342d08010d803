/** The native profile: order and case folding of uuids, enums and text without companion columns. */

import { page } from './case.ts';
import type { CorpusCase } from './case.ts';

const users = (name: string, request: string, keys: readonly number[], total?: number) =>
  page('usersNative', name, `${request}&filter[id][lte]=20`, keys, total);

/** The rows of `settings` with values of all types. */
const paths = (name: string, request: string, keys: readonly number[]) =>
  page('usersNative', name, `${request}&filter[id][between]=30,45`, keys);

export const native: readonly CorpusCase[] = [
  users('ilike on an enum', 'filter[mood][ilike]=HAPP', [1, 3, 4, 7, 8, 9, 11, 12, 13, 16], 12),
  users('notIlike on an enum', 'filter[mood][notIlike]=HAPP', [2, 6, 14, 18]),
  users('ilike through a one relation', 'filter[company.countryCode][ilike]=e', [1, 8, 15]),
  users('ilike on an enum through a one relation', 'filter[manager.mood][ilike]=O s', [6, 7, 8, 9]),
  users('ilike on an enum through a many relation', 'filter[reports.mood][ilike]=O s', [1, 2]),
  users('notIlike through a many relation', 'filter[reports.mood][notIlike]=happ', [1, 2]),
  users('ilike on a uuid', 'filter[referrer][ilike]=9E3779', [5]),
  users('a percent sign is literal', 'filter[mood][ilike]=%25', []),
  users('an underscore is literal', 'filter[mood][ilike]=_', []),
  users('a backslash is literal', 'filter[mood][ilike]=\\', []),
  users('an exclamation mark is literal', 'filter[mood][ilike]=!', []),
  users('gt on an enum', 'filter[mood][gt]=Happy', [1, 2, 6, 9, 13, 14, 17, 18]),
  users(
    'between on an enum',
    'filter[mood][between]=Happy,happy',
    [1, 3, 4, 7, 8, 9, 11, 12, 13, 16],
    12,
  ),
  users('gte on a uuid', 'filter[referrer][gte]=9e3779b1-0000-4000-8000-000000000001', [5]),
  users('a sort by an enum', 'sort=mood', [5, 10, 15, 20, 3, 4, 7, 8, 11, 12], 20),
  users('a sort by an enum, descending', 'sort=-mood', [20, 15, 10, 5, 18, 14, 6, 2, 17, 13], 20),
  users(
    'a sort by an enum through a relation',
    'sort=manager.mood',
    [1, 10, 11, 12, 13, 14, 15, 16, 17, 18],
    20,
  ),
  users('a sort by a uuid', 'sort=-referrer', [20, 19, 18, 16, 15, 14, 12, 11, 10, 8], 20),
  users('search in an enum', 'search=O%20S', [2, 6, 14, 18]),
  users('search in a text through a relation', 'search=jP', [5, 12, 19]),
  users('search in text with and without a companion', 'search=BANG!', [16]),
  paths('ilike on a path', 'filter[settings.name][ilike]=ANN', [30, 31, 36]),
  paths('notIlike on a path leaves out null', 'filter[settings.name][notIlike]=ANN', [32, 35, 39]),
  paths('istartsWith on a path', 'filter[settings.name][istartsWith]=IT', [39]),
  paths('notIstartsWith on a path', 'filter[settings.name][notIstartsWith]=aN', [32, 35, 39]),
  paths('search in a path', 'search=%20ANN%20', [30, 31, 36]),
];
