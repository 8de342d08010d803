/** The filters of a request, each as path, operator and value. */

import { useEffect, useRef } from 'react';

import { IconButton } from '../../../src/dashboard/kit/button.tsx';
import type { FilterMeta } from '../data.ts';
import { t } from '../i18n/index.ts';
import type { TextKey } from '../i18n/index.ts';
import { Group } from './group.tsx';
import type { ControlProps } from './group.tsx';
import { joinList, splitList } from './query.ts';
import type { Filter } from './query.ts';
import style from '../page.module.css';

const signs: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '≠',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
};

const operatorName = (operator: string): string =>
  signs[operator] ?? t(`demo.operator.${operator}` as TextKey);

const relationOf = (path: string): string => path.split('.').slice(0, -1).join(' › ');

/** Paths in groups: those of the model, then those of each relation. */
function PathOptions({ filters }: { readonly filters: readonly FilterMeta[] }) {
  const groups = Map.groupBy(filters, ({ path }) => relationOf(path));
  const option = ({ path }: FilterMeta) => (
    <option key={path} value={path}>
      {path.split('.').at(-1)}
    </option>
  );
  return [...groups].map(([relation, members]) =>
    relation === '' ? (
      members.map(option)
    ) : (
      <optgroup key={relation} label={relation}>
        {members.map(option)}
      </optgroup>
    ),
  );
}

/** The initial value of a new filter. */
function firstValue(rule: FilterMeta, operator: string): string {
  if (operator === 'isNull' || rule.kind === 'boolean') return 'true';
  return rule.kind === 'enum' ? (rule.values?.[0] ?? '') : '';
}

const preferred: Readonly<Record<string, readonly string[]>> = {
  string: ['ilike', 'like', 'eq'],
  integer: ['gte'],
  decimal: ['gte'],
};

function newFilter(rule: FilterMeta): Filter {
  const operator =
    preferred[rule.kind]?.find((each) => rule.operators.includes(each)) ?? rule.operators[0] ?? '';
  return { path: rule.path, operator, value: firstValue(rule, operator) };
}

export function FilterControls({ meta, view, change }: ControlProps) {
  const last = useRef<HTMLDivElement>(null);
  const added = useRef(false);
  useEffect(() => {
    if (!added.current) return;
    added.current = false;
    last.current?.querySelector<HTMLElement>('[data-value]')?.focus();
  }, [view.filters]);
  const set = (index: number, filter: Filter, typed = false) =>
    change({ filters: view.filters.map((each, at) => (at === index ? filter : each)) }, { typed });
  return (
    <Group title={t('demo.filters')}>
      {view.filters.map((filter, index) => (
        <FilterRow
          key={index}
          at={index === view.filters.length - 1 ? last : undefined}
          filters={meta.filters}
          filter={filter}
          set={(next, typed) => set(index, next, typed)}
          remove={() => change({ filters: view.filters.filter((_, at) => at !== index) })}
        />
      ))}
      <select
        className={style['add']}
        aria-label={t('demo.addFilter')}
        value=""
        onChange={({ target }) => {
          const rule = meta.filters.find(({ path }) => path === target.value);
          if (!rule) return;
          added.current = true;
          change({ filters: [...view.filters, newFilter(rule)] });
        }}
      >
        <option value="">+ {t('demo.filter')}</option>
        <PathOptions filters={meta.filters} />
      </select>
    </Group>
  );
}

function FilterRow({
  at,
  filters,
  filter,
  set,
  remove,
}: {
  readonly at: React.RefObject<HTMLDivElement | null> | undefined;
  readonly filters: readonly FilterMeta[];
  readonly filter: Filter;
  readonly set: (filter: Filter, typed?: boolean) => void;
  readonly remove: () => void;
}) {
  const { path, operator } = filter;
  const rule = filters.find((each) => each.path === path);
  if (!rule) return null;
  const relation = relationOf(path);
  const changeOperator = (next: string) => {
    const free = next !== 'isNull' && !['boolean', 'enum'].includes(rule.kind);
    const kept = free && !['true', 'false'].includes(filter.value);
    set({ path, operator: next, value: kept ? filter.value : firstValue(rule, next) });
  };
  return (
    <div ref={at} className={style['filter']}>
      <select
        aria-label={t('demo.filteredPath')}
        title={path}
        value={path}
        onChange={({ target }) => {
          const next = filters.find((each) => each.path === target.value);
          if (next) set(newFilter(next));
        }}
      >
        <PathOptions filters={filters} />
      </select>
      <IconButton label={t('demo.removeFilter', { path })} icon="cross" onClick={remove} />
      {relation !== '' && (
        <span className={style['hint']}>{t('demo.ofRelation', { relation })}</span>
      )}
      <div className={style['condition']} data-two={operator === 'between' || undefined}>
        <select
          aria-label={t('demo.operatorFor', { path })}
          value={operator}
          onChange={({ target }) => changeOperator(target.value)}
        >
          {rule.operators.map((each) => (
            <option key={each} value={each}>
              {operatorName(each)}
            </option>
          ))}
        </select>
        <Value filter={filter} rule={rule} set={set} />
      </div>
    </div>
  );
}

const numeric = ['integer', 'bigint', 'decimal'];

function Value({
  filter,
  rule,
  set,
}: {
  readonly filter: Filter;
  readonly rule: FilterMeta;
  readonly set: (filter: Filter, typed?: boolean) => void;
}) {
  const { path, operator, value } = filter;
  const label = t('demo.valueFor', { path });
  const choices =
    operator === 'isNull' || rule.kind === 'boolean'
      ? ['true', 'false']
      : rule.kind === 'enum' && ['eq', 'ne'].includes(operator)
        ? rule.values
        : undefined;
  if (choices) {
    return (
      <select
        data-value
        aria-label={label}
        value={value}
        onChange={({ target }) => set({ ...filter, value: target.value })}
      >
        {choices.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    );
  }
  const input = (text: string, name: string, hint: string, write: (text: string) => string) => (
    <input
      data-value
      type="text"
      value={text}
      aria-label={name}
      placeholder={hint}
      inputMode={numeric.includes(rule.kind) ? 'decimal' : 'text'}
      autoComplete="off"
      onChange={({ target }) => set({ ...filter, value: write(target.value) }, true)}
    />
  );
  if (operator === 'between') {
    const [low = '', high = ''] = splitList(value) ?? [];
    const [lowName, highName] = [t('demo.low'), t('demo.high')];
    return (
      <>
        {input(low, `${label}, ${lowName}`, lowName, (text) => joinList([text, high]))}
        {input(high, `${label}, ${highName}`, highName, (text) => joinList([low, text]))}
      </>
    );
  }
  const isList = ['in', 'notIn'].includes(operator);
  const sample = rule.values?.slice(0, 2).join(',') ?? 'a,b,c';
  return input(value, label, isList ? sample : rule.kind, (text) => text);
}
