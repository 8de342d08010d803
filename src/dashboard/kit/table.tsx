/** Tables by their columns. Of a long table, only the rows in sight are in the document. */

import { memo, Suspense } from 'react';
import type { HTMLAttributes, ReactNode, RefObject } from 'react';

import { t } from '../i18n/index.ts';
import type { MessageKey } from '../i18n/index.ts';
import { Icon } from './icon.tsx';
import { part } from './patient.ts';
import { useRowHeight } from './row-height.ts';
import { useActions } from '../keys/keys.ts';

const move = (by: number) => () => {
  const links = [...document.querySelectorAll<HTMLElement>('main [data-row-link]')];
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
  const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : at + by];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
};

function useRowKeys(): void {
  const moving = { group: 'list', quiet: true } as const;
  useActions([
    { ...moving, id: 'row-next', title: t('keys.next'), keys: 'j, ArrowDown', run: move(1) },
    { ...moving, id: 'row-previous', title: t('keys.previous'), keys: 'k, ArrowUp', run: move(-1) },
  ]);
}

const loadLong = () => import('./virtual-lines.tsx');
const VirtualLines = part(loadLong, 'VirtualLines');

/** Loads what a long table needs, before it is known how long the table is. */
export const prepareLongTable = (): void => void loadLong();

/** Rows that a table shows without leaving out those out of sight. */
const plainLimit = 100;

/** Steps of the width of a window, from the widest; `blocks.css` has their pixels. */
type Leaving = 1 | 2 | 3 | 4;

export interface Column<Row> {
  readonly title?: MessageKey;
  /** The head, where it is more than the title. */
  readonly head?: ReactNode;
  /** @param marked whether the table marks the row */
  readonly cell: (row: Row, marked: boolean) => ReactNode;
  readonly className?: string | undefined;
  /** In characters. */
  readonly width?: number | undefined;
  /** The place among the columns that leave a narrow window, the first at 1; absent for one that stays. */
  readonly leaves?: Leaving;
  /** Whether it ends where the cell does, as figures do. */
  readonly end?: boolean;
  /** Whether it names the row. */
  readonly names?: boolean;
  /** Whether the title is for those alone who hear the page. */
  readonly untitled?: boolean;
  /** Whether the cell goes without its title on a phone too. */
  readonly plain?: boolean;
  /** The value by which a click on the title sorts the rows. */
  readonly sort?: string;
  readonly tone?: (row: Row) => 'warn' | 'danger' | undefined;
}

/** Columns, of which some may be left out. */
export const columnsOf = <Row,>(
  columns: readonly (Column<Row> | false | undefined)[],
): readonly Column<Row>[] => columns.filter((column) => column !== false && column !== undefined);

interface Content<Row> {
  readonly columns: readonly Column<Row>[];
  /** Content in the place of all columns but the first of a row. */
  readonly whole?: ((row: Row) => ReactNode) | undefined;
}

interface Sorting {
  readonly by: string;
  readonly ascending: boolean;
  readonly choose: (by: string) => void;
}

export function Table<Row>({
  caption,
  columns,
  whole,
  rows,
  keyOf,
  marked,
  attributes,
  className,
  kind,
  sorting,
  minWidth,
  table,
  onBusy,
}: Content<Row> & {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly marked?: (row: Row) => boolean;
  /** Attributes of a row. */
  readonly attributes?: (
    row: Row,
  ) => HTMLAttributes<HTMLTableRowElement> & { readonly [data: `data-${string}`]: unknown };
  readonly className?: string | undefined;
  /** The rows of a table that may be long: of many, only those in sight are in the document. */
  readonly kind?: 'queue' | 'job' | 'line';
  readonly sorting?: Sorting | undefined;
  /** In characters. */
  readonly minWidth?: number | undefined;
  readonly table?: RefObject<HTMLTableElement | null>;
  /** Whether a person works in the table, so that its rows must keep their place. */
  readonly onBusy?: (busy: boolean) => void;
}) {
  const height = useRowHeight(kind ?? 'queue');
  useRowKeys();
  const isLong = kind !== undefined && rows.length > plainLimit;
  const line = (index: number) => {
    const row = rows[index];
    if (row === undefined) return null;
    // A row that only moves to another place keeps its cells as they are.
    return (
      <tr key={keyOf(row)} aria-rowindex={isLong ? index + 2 : undefined} {...attributes?.(row)}>
        <Cells row={row} columns={columns} whole={whole} marked={marked?.(row) ?? false} />
      </tr>
    );
  };
  return (
    <table
      ref={table}
      className={className}
      style={minWidth === undefined ? undefined : { minWidth: `${minWidth}ch` }}
      aria-rowcount={isLong ? rows.length + 1 : undefined}
      {...(onBusy && watched(onBusy))}
    >
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr aria-rowindex={isLong ? 1 : undefined}>
          {columns.map((column, at) => (
            <Head key={column.title ?? at} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      {isLong ? (
        <Suspense
          // As high as its rows, so that nothing below moves when they are there.
          fallback={
            <tbody>
              <tr aria-hidden="true" style={{ height: rows.length * height }} />
            </tbody>
          }
        >
          <VirtualLines count={rows.length} height={height} line={line} />
        </Suspense>
      ) : (
        <tbody>{rows.map((_, index) => line(index))}</tbody>
      )}
    </table>
  );
}

/** Listeners that tell whether the focus or the pointer is in the table. */
const watched = (onBusy: (busy: boolean) => void): HTMLAttributes<HTMLTableElement> => ({
  onFocus: () => onBusy(true),
  onBlur: ({ currentTarget, relatedTarget }) => {
    if (!currentTarget.contains(relatedTarget)) onBusy(false);
  },
  onPointerEnter: () => onBusy(true),
  onPointerLeave: ({ currentTarget }) => onBusy(currentTarget.contains(document.activeElement)),
});

function Head<Row>({
  column: { title, head, className, width, leaves, end, untitled, sort },
  sorting,
}: {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
}) {
  const label = head ?? (title && t(title));
  const isSorted = sort !== undefined && sort === sorting?.by;
  return (
    <th
      scope="col"
      className={className}
      style={width === undefined ? undefined : { width: `${width}ch` }}
      data-leaves={leaves}
      data-end={end || undefined}
      aria-sort={isSorted ? (sorting.ascending ? 'ascending' : 'descending') : undefined}
    >
      {untitled ? (
        <span className="visually-hidden">{label}</span>
      ) : sort !== undefined && sorting ? (
        <button type="button" onClick={() => sorting.choose(sort)}>
          {label}
          {isSorted && <Icon name={sorting.ascending ? 'up' : 'down'} size={10} />}
        </button>
      ) : (
        label
      )}
    </th>
  );
}

const Cells = memo(function Cells<Row>({
  row,
  columns,
  whole,
  marked,
}: Content<Row> & { readonly row: Row; readonly marked: boolean }) {
  const instead = whole?.(row);
  const shown = instead ? columns.slice(0, 1) : columns;
  return (
    <>
      {shown.map(({ title, cell, className, leaves, end, names, plain, tone }, at) =>
        names ? (
          <th key={title ?? at} scope="row" className={className}>
            {cell(row, marked)}
          </th>
        ) : (
          <td
            key={title ?? at}
            className={className}
            data-leaves={leaves}
            data-end={end || undefined}
            data-label={plain || !title ? undefined : t(title)}
            data-tone={tone?.(row)}
          >
            {cell(row, marked)}
          </td>
        ),
      )}
      {instead && (
        <>
          <td colSpan={columns.filter(({ leaves }) => !leaves).length - 1}>{instead}</td>
          {columns.map(({ leaves }) => leaves && <td key={leaves} data-leaves={leaves} />)}
        </>
      )}
    </>
  );
}) as <Row>(props: Content<Row> & { readonly row: Row; readonly marked: boolean }) => ReactNode;
