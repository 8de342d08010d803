/** The form beside the answer. Its controls come from the rules of the endpoint. */

import { useState } from 'react';

import { IconButton } from '../../../src/dashboard/kit/button.tsx';
import { t } from '../i18n/index.ts';
import { FilterControls } from './filters.tsx';
import { Group } from './group.tsx';
import type { ControlProps } from './group.tsx';
import { ProjectionControls } from './projection.tsx';
import style from '../page.module.css';

const pageSizes = [5, 10, 20, 50, 100];

export function Controls(props: ControlProps) {
  // On a phone the response comes first; the controls open on demand.
  const [open, setOpen] = useState(() => !matchMedia('(max-width: 700px)').matches);
  const { meta, view } = props;
  return (
    <details
      id="controls"
      className={`${style['panel']} ${style['controls']}`}
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <h2>{t('demo.build')}</h2>
      </summary>
      <div id="form" className={style['form']}>
        {meta.search.length > 0 && <SearchControl {...props} />}
        <FilterControls {...props} />
        <SortControls {...props} />
        <ProjectionControls {...props} />
        <PagingControls {...props} />
        {view.rest.length > 0 && <RestControls {...props} />}
      </div>
    </details>
  );
}

function SearchControl({ meta, view, change }: ControlProps) {
  const paths = meta.search.join(', ');
  return (
    <Group title={t('demo.search')}>
      <input
        id="search"
        type="search"
        value={view.search}
        placeholder={t('demo.searchHint')}
        aria-label={t('demo.searchIn', { paths })}
        onChange={({ target }) => change({ search: target.value }, { typed: true })}
      />
      <p className={style['hint']}>{t('demo.in', { paths })}</p>
    </Group>
  );
}

function SortControls({ meta, view, change }: ControlProps) {
  const free = meta.sorts.filter((path) => !view.sorts.some((sort) => sort.path === path));
  return (
    <Group title={t('demo.sort')}>
      {view.sorts.map((sort) => {
        const { path, descending } = sort;
        const direction = t(descending ? 'demo.descending' : 'demo.ascending');
        return (
          <div key={path} className={style['pair-row']}>
            <code>{path}</code>
            <button
              type="button"
              aria-label={t('demo.reverse', { path, direction })}
              onClick={() =>
                change({
                  sorts: view.sorts.map((each) =>
                    each === sort ? { path, descending: !descending } : each,
                  ),
                })
              }
            >
              {descending ? '↓' : '↑'} {direction}
            </button>
            <IconButton
              label={t('demo.removeSort', { path })}
              icon="cross"
              onClick={() => change({ sorts: view.sorts.filter((each) => each !== sort) })}
            />
          </div>
        );
      })}
      {free.length > 0 && (
        <select
          className={style['add']}
          aria-label={t('demo.addSort')}
          value=""
          onChange={({ target }) =>
            change({ sorts: [...view.sorts, { path: target.value, descending: false }] })
          }
        >
          <option value="">+ {t(view.sorts.length > 0 ? 'demo.thenBy' : 'demo.sortBy')}</option>
          {free.map((path) => (
            <option key={path} value={path}>
              {path}
            </option>
          ))}
        </select>
      )}
    </Group>
  );
}

function PagingControls({ meta, view, change }: ControlProps) {
  const { mode, allowUnpaginated, defaultPerPage, maxUnpaginatedRows } = meta.pagination;
  const perPage = view.perPage ?? defaultPerPage;
  const modes = [
    ...(mode === 'keyset' ? [] : [['offset', t('demo.numbered')] as const]),
    ...(mode === 'offset' ? [] : [['keyset', t('demo.keyset')] as const]),
    ...(allowUnpaginated
      ? [['all', t('demo.allRows', { count: maxUnpaginatedRows })] as const]
      : []),
  ];
  return (
    <Group title={t('demo.pages')}>
      {modes.map(([value, label]) => (
        <label key={value} className={style['check']}>
          <input
            type="radio"
            name="mode"
            value={value}
            checked={view.mode === value}
            onChange={() => change({ mode: value })}
          />
          {label}
        </label>
      ))}
      {view.mode !== 'all' && (
        <label className={style['check']}>
          {t('demo.perPage')}
          <select
            value={perPage}
            onChange={({ target }) => {
              const size = Number(target.value);
              change({ perPage: size === defaultPerPage ? null : size });
            }}
          >
            {[...new Set([...pageSizes, perPage])]
              .toSorted((left, right) => left - right)
              .map((size) => (
                <option key={size} value={size}>
                  {size}
                </option>
              ))}
          </select>
        </label>
      )}
    </Group>
  );
}

function RestControls({ view, change }: ControlProps) {
  return (
    <Group title={t('demo.rest')}>
      <p className={style['hint']}>{t('demo.restHint')}</p>
      {view.rest.map((pair, index) => (
        <div key={index} className={style['pair-row']}>
          <code>{pair}</code>
          <IconButton
            label={t('demo.removeRest', { pair })}
            icon="cross"
            onClick={() => change({ rest: view.rest.filter((_, at) => at !== index) })}
          />
        </div>
      ))}
    </Group>
  );
}
