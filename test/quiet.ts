/** A listener of errors that are expected, or of messages that nobody reads. */

export const quiet = (): void => undefined;
