/** The error of a list client: an answer that is not a success. */

/**
 * An endpoint refused a request or failed, or something between client and endpoint answered for it. `code` and
 * `details` are those of the endpoint's error envelope, such as `FIELD_NOT_ALLOWED`; `code` is `null` if the answer has
 * none. A request without an answer rejects with the error of `fetch` instead.
 */
export class ListClientError extends Error {
  static {
    Object.defineProperty(this.prototype, 'name', { value: 'ListClientError' });
  }

  /** HTTP status of the answer. */
  readonly status: number;
  /** Stable code of the error; `null` where the answer has none. */
  readonly code: string | null;
  /** Details of the code, as the server sent them; empty where it sent none. */
  readonly details: { readonly [name: string]: unknown };

  constructor(status: number, body: unknown) {
    const { code, message, details } = Object(body) as { [name: string]: unknown };
    super(typeof message === 'string' ? message : `The endpoint answered with status ${status}.`);
    this.status = status;
    this.code = typeof code === 'string' ? code : null;
    this.details = typeof details === 'object' && details !== null ? { ...details } : {};
  }
}
