/** The warnings of the library, newest first, without those that name a hidden queue. */

import type { PgqWarning } from '../../contract/index.ts';
import { isRecord } from '../../../lib/index.ts';
import { runQuery } from '../../../rules/index.ts';
import { type HookRequest, withinDepth } from '../../core/index.ts';
import type { Installation } from '../listings/installation.ts';
import type { PgqRow } from '../listings/listings.ts';
import { keysetPage } from '../listings/keyset-page.ts';
import { filteredPages } from '../listings/filtered-pages.ts';
import type { VisibleQueues } from '../listings/visible-queues.ts';

type WarningRow = PgqRow<'warning'>;

/** The documented parameters of the listing. */
interface WarningsQuery {
  readonly type?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Where the library stores the queue name, in order of precedence. */
const nameKeys = ['name', 'queue', 'queueName'];
/** Members whose strings may name a queue: those keys, and the values of a slow statement. */
const holders: ReadonlySet<string> = new Set([...nameKeys, 'queues', 'names', 'values']);
/** A name that pg-boss accepts, and not an id or a number, of which statements have many. */
const queueName = /^(?![0-9a-f]{8}-[0-9a-f]{4}-|[0-9.-]+$)[\w./-]{1,255}$/i;
/** A quoted word after the word "queue". */
const quotedQueue = /\bqueues?:? (?:\\?"([^"\\]+)\\?"|'([^']+)')/gi;

function queueOf(data: unknown): string[] {
  return nameKeys.flatMap((key) => {
    const value = isRecord(data) ? data[key] : undefined;
    return typeof value === 'string' ? [value] : [];
  });
}

/** The names of queues, whether they exist or not, that a warning holds in its data or in its message. */
function namesIn({ message, data }: WarningRow): ReadonlySet<string> {
  const names = new Set<string>(queueOf(data));
  const pending: (readonly [unknown, boolean])[] = [[withinDepth(data), false]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [value, held] = next;
    if (typeof value === 'string') {
      if (held && queueName.test(value)) names.add(value);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value))
        pending.push([inner, held || holders.has(key)]);
    }
  }
  for (const [, double, single] of (message ?? '').matchAll(quotedQueue)) {
    names.add(double ?? single ?? '');
  }
  return names;
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

function quotesAny(row: WarningRow, concealed: readonly string[]): boolean {
  if (concealed.length === 0) return false;
  const text = `${row.message ?? ''}\n${JSON.stringify(withinDepth(row.data) ?? null)}`;
  return concealed.some((name) => quotes(text, name));
}

function present(row: WarningRow, shown: ReadonlySet<string>): PgqWarning {
  return {
    id: row.id ?? '',
    type: row.type ?? '',
    message: row.message ?? '',
    data: withinDepth(row.data) ?? null,
    queueName: queueOf(row.data).find((name) => shown.has(name)) ?? null,
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
    // A queue may be gone whose warnings are still there, so the guard is asked about every name that a warning holds.
    const shows = async (rows: readonly WarningRow[]): Promise<boolean[]> => {
      const held = rows.map(namesIn);
      const allowed = await queues.visibleAmong(
        request,
        held.flatMap((names) => [...names]),
      );
      return rows.map(
        (row, index) =>
          [...(held[index] ?? [])].every((name) => allowed.has(name)) && !quotesAny(row, concealed),
      );
    };
    const page = keysetPage(
      await read((session) =>
        runQuery(
          filteredPages(listings.source(session, 'warning'), shows),
          asked,
          listings.rules.warnings,
        ),
      ),
    );
    return {
      warnings: page.data.map((row) => present(row, shown)),
      nextCursor: page.nextCursor,
      prevCursor: page.prevCursor,
    };
  });
}
