/** The part of Express that a list endpoint uses, by structure: Express 4 and 5 both fit, and neither is imported. */

export type { TargetedRequest as EndpointRequest } from '../raw-query.ts';

/** A response whose body has the type `Body`, and whose connection can be watched for a disconnect. */
export interface EndpointResponse<Body = unknown> {
  /** Whether the response has begun. */
  readonly headersSent: boolean;
  /** Whether the connection has ended. */
  readonly closed: boolean;
  /** A header that is set already. */
  getHeader(name: string): unknown;
  /** Sets a header of the response. */
  setHeader(name: string, value: string): unknown;
  /** Sets the status of the response. */
  status(code: number): EndpointResponse<Body>;
  /** Sends a value as JSON. */
  json(body: Body): unknown;
  /** Listens to the end of the connection. */
  once(event: 'close', listener: () => void): unknown;
  /** Ends listening. */
  off(event: 'close', listener: () => void): unknown;
}

/** Passes the request to the next handler, or an error to the next error handler. */
export type EndpointNext = (error?: unknown) => void;
