/** What each class of column can hold, whichever ORM describes it. */

import type { FieldKind } from '../../schema/index.ts';
import type { StorageForm } from './physical.ts';

type Forms = { readonly [K in FieldKind]?: StorageForm };

/** Storage form by kind; a kind that is absent does not fit. */
export const heldForms: { readonly text: Forms; readonly integer: Forms } = {
  text: {
    string: 'native',
    uuid: 'native',
    enum: 'native',
    date: 'native',
    datetime: 'iso-text',
    decimal: 'numeric-text',
    json: 'json-text',
  },
  integer: { integer: 'native', bigint: 'native', boolean: 'native', decimal: 'native' },
};
