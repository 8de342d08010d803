/** The parts of a value that do not fit its JSON Schema. A hint only: the board takes any JSON. */

import { Validator } from '@cfworker/json-schema';

import { t } from '../i18n/index.ts';

/** Problems shown at a time. */
const most = 5;

export function schemaProblems(schema: object, value: unknown): readonly string[] {
  if (Object.keys(schema).length === 0) return [];
  try {
    // It interprets the schema; others compile it, which the content security policy forbids.
    const { errors } = new Validator(schema, '2020-12', false).validate(value);
    return errors
      .filter(({ keyword }) => keyword !== 'properties' && keyword !== 'items')
      .slice(0, most)
      .map(({ instanceLocation, error }) =>
        t('edit.schema', { path: instanceLocation, problem: error }),
      );
  } catch {
    // A schema that cannot be read gives no hints.
    return [];
  }
}
