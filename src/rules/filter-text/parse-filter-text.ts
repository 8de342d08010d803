/** `parseFilterText`: the filter of a text that a person writes. */

import type { RulesDescription } from '../client/describe-rules.ts';
import { type FilterTextError, FilterTextFailure } from './filter-text-error.ts';
import { FilterTextParser } from './parser.ts';
import { type TextFilter, filterOf } from './placed-conditions.ts';

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
 *
 * @param now the instant that times such as `now - 1h` are told from; default: that of the machine's clock
 * @param utcOffset minutes to the east of UTC, in which `today` and times of a day are told; default 0
 */
export function parseFilterText(
  description: RulesDescription,
  text: string,
  now = new Date(),
  utcOffset = 0,
): ParsedFilterText {
  try {
    const placed = new FilterTextParser(description, text, { now, utcOffset }).parse();
    return { filter: filterOf(placed), error: null };
  } catch (error) {
    if (!(error instanceof FilterTextFailure)) throw error;
    return { filter: null, error: error.detail };
  }
}
