/** How the body of a cursor becomes the text that a client holds. */

/** Writes and reads the texts of one endpoint's cursors. */
export interface CursorForm {
  /**
   * Whether a text that opens is certain to come from here. The values of a readable cursor are checked as those of a
   * filter are; sealed ones are taken as they are.
   */
  readonly isSealed: boolean;
  /** What cursors are bound to, given all of its parts as one text. */
  binding(parts: string): string;
  /** The cursor of a body; it opens under the same binding only. */
  write(body: string, binding: string): string;
  /** The body of a cursor; `null` where it was not made here under this binding, or was altered. */
  read(cursor: string, binding: string): string | null;
}
