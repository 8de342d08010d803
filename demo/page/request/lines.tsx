/** The request as one sees it: the list, its filter as text, and the line that is sent. */

import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';

import type { FilterTextError } from '../../../src/client/index.ts';
import { Button, buttonClass } from '../../../src/dashboard/kit/button.tsx';
import { FilterLine } from '../../../src/dashboard/kit/filter-line.tsx';
import { Icon } from '../../../src/dashboard/kit/icon.tsx';
import { exampleAddress } from '../address.ts';
import type { Address } from '../address.ts';
import type { EndpointMeta, Meta } from '../data.ts';
import { t } from '../i18n/index.ts';
import { databaseName } from '../names.ts';
import { Segments } from '../segments.tsx';
import { filtersOf, textOf } from './filter-text.ts';
import { readable } from './query.ts';
import type { ChangeView, View } from './query.ts';
import style from '../page.module.css';

export function RequestLines({
  all: { endpoints, examples },
  meta,
  view,
  change,
  address,
  databases,
  go,
}: {
  readonly all: Meta;
  readonly meta: EndpointMeta;
  readonly view: View;
  readonly change: ChangeView;
  readonly address: Address;
  readonly databases: readonly string[];
  readonly go: (next: Address) => void;
}) {
  const lists = [...new Set(endpoints.map(({ list }) => list))];
  return (
    <section className={style['request']} aria-labelledby="request-title">
      <div className={style['choices']}>
        <h1 id="request-title">{t('demo.title')}</h1>
        <Segments
          label={t('demo.list')}
          choices={lists.map((list) => [list, list])}
          chosen={address.list}
          choose={(list) => go({ ...address, list, query: '' })}
        />
        <Segments
          label={t('demo.database')}
          choices={databases.map((database) => [database, databaseName(database)])}
          chosen={address.database}
          choose={(database) => go({ ...address, database })}
        />
        <select
          id="examples"
          className={style['examples']}
          aria-label={t('demo.examples')}
          value=""
          onChange={({ target }) => {
            const example = examples[Number(target.value)];
            if (example) go(exampleAddress(example));
          }}
        >
          <option value="">{t('demo.tryExample')}</option>
          {examples.map(({ title }, index) => (
            <option key={title} value={index}>
              {title}
            </option>
          ))}
        </select>
      </div>
      <p className={style['intro']}>{t('demo.intro')}</p>
      <FilterText
        key={`${address.database}/${address.list}`}
        meta={meta}
        view={view}
        change={change}
      />
      <QueryLine
        path={`${address.database}/${address.list}`}
        query={address.query}
        send={(query) => go({ ...address, query })}
      >
        <OpenLink {...address} />
      </QueryLine>
    </section>
  );
}

/** The filters as a person writes them; a text that was refused stays with its error. */
export function FilterText({
  meta,
  view,
  change,
}: {
  readonly meta: EndpointMeta;
  readonly view: View;
  readonly change: ChangeView;
}) {
  const [refused, refuse] = useState<{ text: string; error: FilterTextError }>();
  // Any change of the filters takes the place of the refused text.
  useEffect(() => refuse(undefined), [view.filters]);
  return (
    <FilterLine
      value={refused?.text ?? textOf(view.filters, meta)}
      error={refused?.error}
      language={() => meta.description}
      label={t('demo.filterText')}
      hint={t('demo.filterHint')}
      offers={t('demo.filterOffers')}
      onChange={(text) => {
        const read = filtersOf(text, meta);
        if ('error' in read) refuse({ text, error: read.error });
        else change({ filters: read.filters });
      }}
    />
  );
}

/** The request as it is sent. */
export function QueryLine({
  path,
  query,
  send,
  children,
}: {
  readonly path: string;
  readonly query: string;
  readonly send: (query: string) => void;
  readonly children?: ReactNode;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(query);
  useEffect(() => {
    if (document.activeElement !== input.current) setText(query);
  }, [query, path]);
  return (
    <form
      id="request"
      className={style['line']}
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        send(readable(text.replace(/^\?/, '')));
      }}
    >
      <label htmlFor="query">
        <span className={style['method']}>GET</span> <code id="path">/{path}</code>
      </label>
      <input
        id="query"
        ref={input}
        className="mono"
        dir="ltr"
        type="text"
        spellCheck={false}
        autoCapitalize="off"
        aria-label={t('demo.query')}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button look="primary" type="submit">
        {t('demo.send')}
      </Button>
      {children}
    </form>
  );
}

function OpenLink({ database, list, query }: Address) {
  const path = `${database}/${list}`;
  return (
    <a
      className={buttonClass()}
      href={query === '' ? path : `${path}?${query}`}
      target="_blank"
      rel="noreferrer"
      title={t('demo.openTitle')}
    >
      {t('demo.open')} <Icon name="out" size={12} />
    </a>
  );
}
