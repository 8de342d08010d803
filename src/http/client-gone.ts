/** A client that left before its answer, as hosts see it. */

/** The reason of the signal of a NestJS handler, by which the filter of the application knows it. */
export class ClientGoneError extends DOMException {
  constructor() {
    super('The client has disconnected.', 'AbortError');
  }
}

/** The status of such a request, for logs and metrics of the host: nobody receives it. */
export const clientClosedRequest = 499;
