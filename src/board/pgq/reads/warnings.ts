/** The warnings of the library, newest first, without those that name a hidden queue. */

import type { PgqWarning } from '../../contract/index.ts';
import { runQuery } from '../../../rules/index.ts';
import { type HookRequest, withinDepth } from '../../core/index.ts';
import type { Installation } from '../listings/installation.ts';
import type { PgqRow } from '../listings/listings.ts';
import { keysetPage } from '../listings/keyset-page.ts';
import { filteredPages } from '../listings/filtered-pages.ts';
import type { VisibleQueues } from '../listings/visible-queues.ts';

type WarningRow = PgqRow<'warning'>;

/** The documented parameters of the listing. */
export interface WarningsQuery {
  readonly type?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Where the library stores the queue name, in order of precedence. */
const nameKeys = ['name', 'queue', 'queueName'];

function namesIn(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return [];
  const members = new Map<string, unknown>(Object.entries(data));
  return nameKeys.flatMap((key) => {
    const value = members.get(key);
    return typeof value === 'string' ? [value] : [];
  });
}

/** Whether the text contains the name as a quoted word; an unquoted word may be anything. */
function quotes(text: string, name: string): boolean {
  const json = JSON.stringify(name);
  const forms = [
    json,
    `"${name}"`,
    `'${name}'`,
    `\\"${name}\\"`,
    JSON.stringify(json).slice(1, -1),
  ];
  return forms.some((form) => text.includes(form));
}

function names(row: WarningRow, concealed: readonly string[]): boolean {
  if (concealed.length === 0) return false;
  const inData = namesIn(row.data);
  const text = `${row.message ?? ''}\n${JSON.stringify(withinDepth(row.data) ?? null)}`;
  return concealed.some((name) => inData.includes(name) || quotes(text, name));
}

function present(row: WarningRow, shown: ReadonlySet<string>): PgqWarning {
  return {
    id: row.id ?? '',
    type: row.type ?? '',
    message: row.message ?? '',
    data: withinDepth(row.data) ?? null,
    queueName: namesIn(row.data).find((name) => shown.has(name)) ?? null,
    createdOn: row.createdOn ?? '',
  };
}

/** A page of warnings. */
export function listWarnings(
  installation: Installation,
  queues: VisibleQueues,
  request: HookRequest,
  query: WarningsQuery,
): Promise<{ warnings: PgqWarning[]; nextCursor: string | null; prevCursor: string | null }> {
  return installation.openFeature('warnings', async (schema) => {
    const { listings, read } = schema;
    const all = await queues.names(schema);
    const shown = await queues.visibleAmong(request, all);
    const concealed = all.filter((name) => !shown.has(name));
    const asked = {
      ...(query.type !== undefined && { filter: { type: { eq: query.type } } }),
      sort: '-createdOn,-id',
      perPage: String(query.limit),
      ...(query.cursor !== undefined && { cursor: query.cursor }),
    };
    const page = keysetPage(
      await read((session) => {
        const source = listings.source(session, 'warning');
        return runQuery(
          concealed.length === 0 ? source : filteredPages(source, (row) => !names(row, concealed)),
          asked,
          listings.rules.warnings,
        );
      }),
    );
    return {
      warnings: page.data.map((row) => present(row, shown)),
      nextCursor: page.nextCursor,
      prevCursor: page.prevCursor,
    };
  });
}
