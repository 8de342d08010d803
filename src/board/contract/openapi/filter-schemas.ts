/** The filters of pg-boss's jobs as components of a document: a value, or conditions by operator. */

import type { JsonSchema } from './json-schema.ts';
import { pgqFilters } from './pgq-filters.ts';

const { kinds, operators, path } = pgqFilters;

const ofPath =
  'A value at a path of the data or output: one that it must equal, or conditions by operator. A number or `true` is compared as such, a text in quotes always as a text.';

/** The components by name. */
export const filterSchemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(kinds).map(([kind, { value, operators: allowed }]) => [
    kind,
    {
      description:
        kind === path
          ? ofPath
          : 'A value that the field must equal, or conditions by operator, which must all hold.',
      anyOf: [
        value,
        {
          type: 'object',
          properties: Object.fromEntries(
            allowed.map((operator) => [
              operator,
              operators[operator]?.type
                ? operators[operator]
                : { ...operators[operator], ...value },
            ]),
          ),
          additionalProperties: false,
        },
      ],
    },
  ]),
);
