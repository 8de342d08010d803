/** The state of the page, which its link holds: the texts of a person, and the request. */

/** Longest text of the tables and of the rules, in UTF-16 code units. */
export const maxText = 50_000;

/** The texts that a person writes. */
export interface World {
  /** Statements of SQLite that make tables and fill them. */
  readonly tables: string;
  /** Rules by the name of their model, as JSON5. */
  readonly rules: string;
}

/** The texts and a request. */
export interface State extends World {
  /** The model that is listed; empty for the first of the rules. */
  readonly list: string;
  readonly query: string;
}
