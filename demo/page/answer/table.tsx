/** Rows as a table. Heads of sortable columns are buttons. */

import type { ReactNode } from 'react';

import type { EndpointMeta, Row } from '../data.ts';
import { t } from '../i18n/index.ts';
import type { ChangeView, View } from '../request/query.ts';
import style from '../page.module.css';

const chipsShown = 12;
const numericKinds = ['integer', 'bigint', 'decimal'];

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;

const words = (row: Row): string =>
  Object.values(row)
    .filter((value) => value !== null && !isRow(value))
    .join(' · ');

const Nothing = ({ text }: { readonly text: string }) => (
  <span className={style['null']}>{text}</span>
);

/** A related row: its own values, then its related rows on lines of their own. */
function Related({ row }: { readonly row: Row }) {
  const below = Object.entries(row).filter(([, value]) => isRow(value));
  if (below.length === 0) return words(row);
  return (
    <span className={style['related']}>
      <span>{words(row)}</span>
      {below.map(([name, value]) => {
        const rows = [value].flat() as Row[];
        return (
          <span key={name} className={style['nested']}>
            {name}: {rows.map(words).join(', ') || <Nothing text={t('demo.none')} />}
          </span>
        );
      })}
    </span>
  );
}

function cell(value: unknown, format: (value: unknown) => string): ReactNode {
  if (value === null) return <Nothing text="null" />;
  if (typeof value === 'boolean') return <code>{String(value)}</code>;
  return isRow(value) ? <Related row={value} /> : format(value);
}

function Chips({ rows }: { readonly rows: readonly Row[] }) {
  if (rows.length === 0) return <Nothing text={t('demo.none')} />;
  const more = rows.length - chipsShown;
  return (
    <div className={style['chips']}>
      {rows.slice(0, chipsShown).map((row, index) => (
        <span key={index} className={style['tag']}>
          <Related row={row} />
        </span>
      ))}
      {more > 0 && <Nothing text={t('demo.more', { count: more })} />}
    </div>
  );
}

const asIs = (value: unknown): string => String(value);
/** Adds thousands separators to the text of a number; conversion to a number would lose digits. */
const grouped = (value: unknown): string =>
  String(value).replaceAll(/\B(?=(\d{3})+(?:\.|$))(?<!\.\d*)/g, ',');

/** The sorts after a click on a head: ascending, then descending, then none. */
function nextSorts(sorts: View['sorts'], path: string): View['sorts'] {
  const sort = sorts.find((each) => each.path === path);
  if (!sort) return [{ path, descending: false }];
  if (sort.descending) return sorts.filter((each) => each !== sort);
  return sorts.map((each) => (each === sort ? { path, descending: true } : each));
}

export function Table({
  rows,
  meta,
  view,
  change,
}: {
  readonly rows: readonly Row[];
  readonly meta: EndpointMeta;
  readonly view: View;
  readonly change: ChangeView;
}) {
  const [first = {}] = rows;
  const lists = Object.keys(first).filter((name) => Array.isArray(first[name]));
  const names = Object.keys(first).filter((name) => !lists.includes(name));
  const isNumeric = (name: string) => numericKinds.includes(meta.kinds[name] ?? '');
  const format = (name: string) =>
    isNumeric(name) && !meta.primaryKey.includes(name) ? grouped : asIs;
  return (
    <table className={style['table']}>
      <thead>
        <tr>
          {names.map((name) => {
            const sort = view.sorts.find(({ path }) => path === name);
            return (
              <th
                key={name}
                scope="col"
                data-numeric={isNumeric(name) || undefined}
                aria-sort={sort && (sort.descending ? 'descending' : 'ascending')}
              >
                {meta.sorts.includes(name) ? (
                  <button
                    type="button"
                    title={t('demo.sortByPath', { path: name })}
                    onClick={() => change({ sorts: nextSorts(view.sorts, name) })}
                  >
                    {name}
                    {sort && (sort.descending ? ' ↓' : ' ↑')}
                  </button>
                ) : (
                  name
                )}
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => [
          <tr key={index}>
            {names.map((name) => (
              <td key={name} data-numeric={isNumeric(name) || undefined}>
                {cell(row[name], format(name))}
              </td>
            ))}
          </tr>,
          // Rows of to-many includes stand below their parent; in columns they would need a very wide table.
          lists.length > 0 && (
            <tr key={`${index} below`} className={style['below']}>
              <td colSpan={names.length}>
                <dl>
                  {lists.map((name) => [
                    <dt key={name}>{name}</dt>,
                    <dd key={`${name} rows`}>
                      <Chips rows={row[name] as readonly Row[]} />
                    </dd>,
                  ])}
                </dl>
              </td>
            </tr>
          ),
        ])}
      </tbody>
    </table>
  );
}
