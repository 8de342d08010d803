/** The part of Express that a list endpoint uses, by structure: Express 4 and 5 both fit, and neither is imported. */

/** A request with its target: as the client sent it (`originalUrl`), or as a mounted router sees it (`url`). */
export interface EndpointRequest {
  readonly url: string;
  readonly originalUrl?: string;
}

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

/** A value, or a function that returns it for a request. */
export type PerRequest<Request, Value> = Value | ((request: Request) => Value | Promise<Value>);
