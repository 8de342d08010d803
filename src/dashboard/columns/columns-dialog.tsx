/** The columns of a list of jobs: which, in which order, how wide; any field of the jobs can be one. */

import { useId, useState } from 'react';

import { t } from '../i18n/index.ts';
import { Button, IconButton } from '../kit/button.tsx';
import { Dialog } from '../kit/dialogs/dialog.tsx';
import { TextField, rowClass } from '../kit/dialogs/form.tsx';
import { Gate } from '../kit/dialogs/gate.tsx';
import {
  fieldsOf,
  isJobColumn,
  isPath,
  longestPath,
  mostColumns,
  mostFields,
  narrowest,
  widest,
} from './columns.ts';
import type { ChosenColumn } from './columns.ts';
import style from './columns.module.css';

export function ColumnsDialog({
  columns,
  offers,
  titleOf,
  isUsual,
  change,
  close,
}: {
  readonly columns: readonly ChosenColumn[];
  /** Columns and fields to offer. */
  readonly offers: readonly string[];
  readonly titleOf: (key: string) => string;
  readonly isUsual: boolean;
  /** Shows other columns; the usual ones for undefined. */
  readonly change: (columns: readonly ChosenColumn[] | undefined) => void;
  readonly close: () => void;
}) {
  const [text, setText] = useState('');
  const id = useId();
  const wanted = text.trim();
  const known = new Set(columns.map(({ key }) => key));
  const isFull =
    columns.length >= mostColumns ||
    (!isJobColumn(wanted) && fieldsOf(columns).length >= mostFields);
  const missing =
    wanted === '' || !isPath(wanted)
      ? t('columns.needsPath')
      : known.has(wanted)
        ? t('columns.known')
        : isFull
          ? t('columns.full', { fields: mostFields, columns: mostColumns })
          : undefined;
  const moved = (at: number, by: number): readonly ChosenColumn[] => {
    const others = columns.filter((_column, index) => index !== at);
    return [...others.slice(0, at + by), ...columns.slice(at, at + 1), ...others.slice(at + by)];
  };
  return (
    <Dialog title={t('columns.title')} close={close}>
      <form
        className={rowClass}
        onSubmit={(event) => {
          event.preventDefault();
          if (missing !== undefined) return;
          change([...columns, { key: wanted }]);
          setText('');
        }}
      >
        <TextField
          label={t('columns.add')}
          hint={t('columns.hint')}
          value={text}
          list={id}
          maxLength={longestPath}
          autoFocus
          mono
          onChange={({ target }) => setText(target.value)}
        />
        <datalist id={id}>
          {offers
            .filter((key) => !known.has(key))
            .map((key) => (
              <option key={key} value={key} />
            ))}
        </datalist>
        <Gate look="primary" type="submit" missing={missing}>
          {t('columns.show')}
        </Gate>
      </form>
      <ol className={style['list']} aria-label={t('columns.title')}>
        {columns.map(({ key, width }, at) => {
          const name = titleOf(key);
          return (
            <li key={key}>
              <bdi>{name}</bdi>
              <input
                type="number"
                aria-label={t('columns.width', { name })}
                placeholder={t('columns.auto')}
                min={narrowest}
                max={widest}
                value={width ?? ''}
                onChange={({ target: { value, valueAsNumber } }) =>
                  change(
                    columns.map((each) =>
                      each.key === key
                        ? { key, width: value === '' ? undefined : Math.trunc(valueAsNumber) }
                        : each,
                    ),
                  )
                }
              />
              <IconButton
                icon="up"
                label={t('columns.earlier', { name })}
                disabled={at === 0}
                onClick={() => change(moved(at, -1))}
              />
              <IconButton
                icon="down"
                label={t('columns.later', { name })}
                disabled={at === columns.length - 1}
                onClick={() => change(moved(at, 1))}
              />
              <IconButton
                icon="cross"
                label={t('columns.remove', { name })}
                disabled={columns.length === 1}
                onClick={() => change(columns.filter((each) => each.key !== key))}
              />
            </li>
          );
        })}
      </ol>
      <Button disabled={isUsual} onClick={() => change(undefined)}>
        {t('columns.usual')}
      </Button>
    </Dialog>
  );
}
