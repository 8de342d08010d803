/** The part of Express that a list endpoint touches, by structure: Express 4 and 5 both fit, and neither is imported. */

/** A request: its target as the client sent it (`originalUrl`), or as the server has it. */
export interface EndpointRequest {
  readonly url: string;
  readonly originalUrl?: string;
}

/** A response that can be answered with `Body` and watched for a client that goes away. */
export interface EndpointResponse<Body = unknown> {
  readonly headersSent: boolean;
  readonly closed: boolean;
  setHeader(name: string, value: string): unknown;
  status(code: number): EndpointResponse<Body>;
  json(body: Body): unknown;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** Hands the request to the next handler, or an error to the next error handler. */
export type EndpointNext = (error?: unknown) => void;

/** A value, or how to come by it for a request. */
export type PerRequest<Request, Value> = Value | ((request: Request) => Value | Promise<Value>);
