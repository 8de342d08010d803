/** The data and options of a job to be, as two forms that change between fields and JSON together. */

import { useMemo, useState } from 'react';

import type { QueuePlace } from '../api/boards.ts';
import { jsonProblem } from './json-text.ts';
import { layOut } from '../format/json.ts';
import { fieldsOf } from './fields.ts';
import { optionFields } from './job-options.ts';
import { useKnownData } from './known-data.ts';
import { skeletonOf } from './schema.ts';
import { useJsonForm } from './use-form.ts';
import type { JsonForm, Mode } from './use-form.ts';

const none = {};

/** Why it cannot be sent; an empty text is left out. */
const problemOf = ({ unread, text }: JsonForm): string | undefined =>
  unread ?? (text.trim() === '' ? undefined : jsonProblem(text));

/**
 * @param name the name of the job
 * @param given data and options to begin with
 * @param scheduled whether a schedule says when it runs
 */
export function useNewJob(
  place: QueuePlace,
  name: string,
  given: { readonly data?: string | undefined; readonly options?: string | undefined } = none,
  scheduled = false,
) {
  const { engine } = place.board;
  const [mode, choose] = useState<Mode>('form');
  const { schema, isDescribed, names } = useKnownData(place, name, given.data);
  const known = useMemo(() => (schema ? fieldsOf(schema) : []), [schema]);
  const first = useMemo(
    () => (isDescribed && schema ? layOut(JSON.stringify(skeletonOf(schema))) : '{}'),
    [isDescribed, schema],
  );
  const ofOptions = useMemo(() => optionFields(engine, scheduled), [engine, scheduled]);
  const data = useJsonForm(mode, known, given.data ?? first);
  const options = useJsonForm(mode, ofOptions, given.options ?? '{}');
  return { mode, choose, names, data, options, problem: problemOf(data) ?? problemOf(options) };
}
