/** The part of Express that a list endpoint uses, by structure: Express 4 and 5 both fit, and neither is imported. */

export type { TargetedRequest as EndpointRequest } from '../raw-query.ts';

/** A response whose body has the type `Body`, and whose connection can be watched for a disconnect. */
export interface EndpointResponse<Body = unknown> {
  readonly headersSent: boolean;
  readonly closed: boolean;
  setHeader(name: string, value: string): unknown;
  status(code: number): EndpointResponse<Body>;
  json(body: Body): unknown;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** Passes the request to the next handler, or an error to the next error handler. */
export type EndpointNext = (error?: unknown) => void;
