/** The encoding of a cursor's body as the string that a client receives. */

/** Encodes and decodes the cursors of one endpoint. */
export interface CursorForm {
  /**
   * Whether the cursor is encrypted and authenticated, so that its values can be trusted. The values of a readable
   * cursor are validated like those of a filter.
   */
  readonly isSealed: boolean;
  /** The binding of cursors, made from the string of all of its parts. */
  binding(parts: string): string;
  /** The cursor of a body; it can be decoded with the same binding only. */
  write(body: string, binding: string): string;
  /** The body of a cursor; `null` if it was not created here with this binding, or was modified. */
  read(cursor: string, binding: string): string | null;
}
