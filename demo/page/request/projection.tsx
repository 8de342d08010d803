/** The included relations, and the fields of each. */

import { useState } from 'react';

import { t } from '../i18n/index.ts';
import type { EndpointMeta, ProjectionMeta } from '../data.ts';
import { Group } from './group.tsx';
import type { ControlProps } from './group.tsx';
import type { View } from './query.ts';
import style from '../page.module.css';

const prefixed = (path: string, field: string) => (path === '' ? field : `${path}.${field}`);

/** The fields of a projection in the view: the named ones, else the default. */
function shownFields(view: View, { path, allowed, default: standard }: ProjectionMeta) {
  const named = allowed.filter((field) => view.fields.includes(prefixed(path, field)));
  return named.length > 0 ? named : standard;
}

const sameFields = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((field) => right.includes(field));

/** The fields of the view with those of one projection changed; the default fields are not named. */
function withFields(
  all: readonly string[],
  { path, allowed, default: standard }: ProjectionMeta,
  fields: readonly string[],
): string[] {
  const own = new Set(allowed.map((field) => prefixed(path, field)));
  const named = sameFields(fields, standard) ? [] : fields;
  return [
    ...all.filter((field) => !own.has(field)),
    ...named.map((field) => prefixed(path, field)),
  ];
}

/** The changes that include a relation with those above it, or leave it out with those below it. */
function toggled(view: View, meta: EndpointMeta, path: string, wanted: boolean): Partial<View> {
  if (wanted) {
    const parents = meta.includes.filter((each) => path.startsWith(`${each.path}.`));
    const paths = [...view.includes, ...parents.map((each) => each.path), path];
    return { includes: [...new Set(paths)] };
  }
  const under = (each: string) => each === path || each.startsWith(`${path}.`);
  const gone = meta.includes.filter((each) => under(each.path));
  return {
    includes: view.includes.filter((each) => !under(each)),
    fields: gone.reduce<readonly string[]>(
      (fields, each) => withFields(fields, each, each.default),
      view.fields,
    ),
  };
}

export function ProjectionControls({ meta, view, change }: ControlProps) {
  const [open, setOpen] = useState(false);
  const projections = [
    meta.root,
    ...meta.includes.filter(({ path }) => view.includes.includes(path)),
  ];
  return (
    <>
      {meta.includes.length > 0 && (
        <Group title={t('demo.include')}>
          {meta.includes.map(({ path, cardinality }) => (
            <label key={path} className={style['check']} data-depth={path.split('.').length}>
              <input
                type="checkbox"
                checked={view.includes.includes(path)}
                onChange={({ target }) => change(toggled(view, meta, path, target.checked))}
              />
              {path.split('.').at(-1)}
              <span className={style['hint']}>
                {' '}
                {t(cardinality === 'one' ? 'demo.one' : 'demo.many')}
              </span>
            </label>
          ))}
        </Group>
      )}
      <fieldset className={style['group']}>
        <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{t('demo.fields')}</summary>
          {projections.map((projection) => (
            <Fields key={projection.path} view={view} projection={projection} change={change} />
          ))}
        </details>
      </fieldset>
    </>
  );
}

function Fields({
  view,
  projection,
  change,
}: Pick<ControlProps, 'view' | 'change'> & { readonly projection: ProjectionMeta }) {
  const shown = shownFields(view, projection);
  const set = (field: string, wanted: boolean) => {
    const fields = projection.allowed.filter((each) =>
      each === field ? wanted : shown.includes(each),
    );
    const kept = fields.length > 0 ? fields : projection.default;
    change({ fields: withFields(view.fields, projection, kept) });
  };
  const relation = projection.path.replaceAll('.', ' › ');
  return (
    <div className={style['fields']}>
      <p className={style['hint']}>
        {relation === '' ? t('demo.ofRows') : t('demo.ofRelation', { relation })}
      </p>
      <div className={style['chips']}>
        {projection.allowed.map((field) => (
          <label key={field} className={style['chip']}>
            <input
              type="checkbox"
              checked={shown.includes(field)}
              onChange={({ target }) => set(field, target.checked)}
            />
            {field}
          </label>
        ))}
      </div>
    </div>
  );
}
