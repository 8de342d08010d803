/** The error of a filter text: a code, and the part of the text that it is about. */

/** The reason why a filter text was refused. */
export type FilterTextErrorCode =
  | 'PATH_EXPECTED'
  | 'PATH_UNKNOWN'
  | 'OPERATOR_EXPECTED'
  | 'OPERATOR_NOT_ALLOWED'
  | 'VALUE_EXPECTED'
  | 'VALUE_INVALID'
  | 'LIST_TOO_LONG'
  | 'AND_EXPECTED'
  | 'OR_UNSUPPORTED'
  | 'NOT_UNSUPPORTED'
  | 'CONDITION_REPEATED'
  | 'TOO_MANY_CONDITIONS'
  | 'TOO_DEEP'
  | 'PARENTHESIS_UNMATCHED'
  | 'QUOTE_UNCLOSED';

/** A refused filter text. */
export interface FilterTextError {
  /** Stable code of the problem. */
  readonly code: FilterTextErrorCode;
  /** An English sentence, without the value that was written. */
  readonly message: string;
  /** The first character that the error is about, counted in UTF-16 code units from 0. */
  readonly start: number;
  /** The end of that part, exclusive; `start` where something is missing. */
  readonly end: number;
  /** The texts that would be accepted instead, where they can be listed: paths, operators, members, keywords. */
  readonly expected: readonly string[];
}

/** Ends a parse; never leaves the module. */
export class FilterTextFailure extends Error {
  readonly detail: FilterTextError;

  constructor(detail: FilterTextError) {
    super(detail.message);
    this.detail = detail;
  }
}
