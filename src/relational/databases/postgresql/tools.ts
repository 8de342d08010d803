/** The tools of the PostgreSQL family: companions, catalogue and profile. */

import type { FamilyTools } from '../../family.ts';
import { readPostgresql as readCatalogue } from './catalogue.ts';
import { postgresqlCompanions as companions } from './companions.ts';
import { checkPostgresql as profile, nullableColumns } from './profile.ts';
import { type CheckSearch, profileQuery } from '../../profile/violation.ts';
import { postgresql } from './dialect.ts';

const indexQuery = profileQuery(
  { at: 'wanted.at::text' },
  `from jsonb_to_recordset($1::jsonb) as wanted(at int, tab text, col text)
   join pg_attribute a on a.attrelid = to_regclass(wanted.tab) and a.attname = wanted.col
   where not exists (
     select 1 from pg_index i, unnest(i.indkey::int2[], i.indclass::oid[]) as part(att, class)
     join pg_opclass c on c.oid = part.class
     where i.indrelid = a.attrelid and i.indisvalid and part.att = a.attnum
       and c.opcname in ('gin_trgm_ops', 'gist_trgm_ops'))`,
);

/** The columns without a trigram index, which `ilike` needs to find substrings without reading every row. */
const searchIndexes: CheckSearch = async (run, columns) => {
  const { quote } = postgresql;
  const wanted = columns.map(({ table: { schema, name }, name: col }, at) => {
    const tab = schema === undefined ? quote(name) : `${quote(schema)}.${quote(name)}`;
    return { at, tab, col };
  });
  const rows = await run(indexQuery, [JSON.stringify(wanted)]);
  return rows.flatMap((row) => {
    const at = Number(row['at']);
    const [column, target] = [columns[at], wanted[at]];
    if (!column || !target) return [];
    const detail = `no trigram index, so a search reads every row: create extension if not exists pg_trgm; create index on ${target.tab} using gin (${quote(target.col)} gin_trgm_ops)`;
    return [{ rule: 'search-index' as const, where: column.where, detail }];
  });
};

export const postgresqlTools: FamilyTools = {
  companions,
  readCatalogue,
  profile,
  nullableColumns,
  searchIndexes,
};
