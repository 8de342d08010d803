/** A group of controls of the form, and what each of them is given. */

import type { ReactNode } from 'react';

import type { EndpointMeta } from '../data.ts';
import type { ChangeView, View } from './query.ts';
import style from '../page.module.css';

export interface ControlProps {
  readonly meta: EndpointMeta;
  readonly view: View;
  readonly change: ChangeView;
}

export function Group({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <fieldset className={style['group']}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}
