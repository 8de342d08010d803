/** The columns of a list of jobs as its address has them: in their order, with their widths, and fields beyond the usual. */

/** The columns that the dashboard knows of itself. */
export const jobColumns = [
  'name',
  'state',
  'data',
  'key',
  'priority',
  'attempts',
  'why',
  'worker',
  'running',
  'added',
  'took',
] as const;

export type JobColumn = (typeof jobColumns)[number];

export interface ChosenColumn {
  /** One of those that the dashboard knows, or the path of a field. */
  readonly key: string;
  /** In characters. */
  readonly width?: number | undefined;
}

/** Fields that a board tells in one answer, columns at most, and characters of a path. */
export const [mostFields, mostColumns, longestPath] = [8, 16, 100];

export const [narrowest, widest] = [4, 120];

export const isJobColumn = (key: string): key is JobColumn =>
  jobColumns.some((column) => column === key);

/** Whether a text is the path of a field, such as `data.customer.id`. */
export const isPath = (text: string): boolean =>
  text.length <= longestPath && text !== 'id' && /^[^\s.,~]+(?:\.[^.,~]+)*$/.test(text);

/** The columns that an address names, without those that cannot be shown; undefined for the usual ones. */
export function readColumns(text: string | undefined): readonly ChosenColumn[] | undefined {
  if (text === undefined) return undefined;
  const found = new Map<string, ChosenColumn>();
  let fields = 0;
  for (const part of text.split(',')) {
    const [key = '', width = ''] = part.split('~');
    if (found.has(key) || found.size === mostColumns || !isPath(key)) continue;
    if (!isJobColumn(key) && (fields += 1) > mostFields) continue;
    const wide = /^\d{1,3}$/.test(width) ? Number(width) : undefined;
    found.set(key, {
      key,
      width: wide === undefined ? undefined : Math.min(widest, Math.max(narrowest, wide)),
    });
  }
  return found.size === 0 ? undefined : [...found.values()];
}

export const writeColumns = (columns: readonly ChosenColumn[]): string =>
  columns.map(({ key, width }) => (width === undefined ? key : `${key}~${width}`)).join(',');

/** The fields that the board is asked for. */
export const fieldsOf = (columns: readonly ChosenColumn[] = []): readonly string[] =>
  columns.map(({ key }) => key).filter((key) => !isJobColumn(key));

/** The value of a field as a person reads it: a text without its quotes, also where it was cut. */
export function fieldText(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value.slice(1);
  }
}
