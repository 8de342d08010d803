/** `parseFilterText`: a filter that a person wrote, as the filter of a request. */

import type { RulesDescription } from '../../rules/client/index.ts';
import type { FilterTextError } from './filter-text-error.ts';
import { FilterTextFailure } from './filter-text-error.ts';
import { FilterTextParser, type TextFilter } from './parser.ts';
import { tokensOf } from './tokens.ts';

/** A parsed text: its filter, or the error and its position. */
export type ParsedFilterText =
  | {
      /** The filter. */
      readonly filter: TextFilter;
      /** No error. */
      readonly error: null;
    }
  | {
      /** No filter, because the text has an error. */
      readonly filter: null;
      /** The first error of the text. */
      readonly error: FilterTextError;
    };

/**
 * Reads a filter as a person writes it, such as `state = failed and name ~ "charge"`, and checks it against the
 * description of the endpoint's rules: paths, operators, values and limits. The result's `filter` is the `filter` of
 * `buildQuery`; an empty text is the filter without conditions. Never throws: an error has a code and a position.
 */
export function parseFilterText(description: RulesDescription, text: string): ParsedFilterText {
  try {
    return { filter: new FilterTextParser(description, tokensOf(text)).parse(), error: null };
  } catch (error) {
    if (!(error instanceof FilterTextFailure)) throw error;
    return { filter: null, error: error.detail };
  }
}
