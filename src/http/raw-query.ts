/** The query string of a request as the client sent it, whatever query parser its application has. */

/** A request with its target: as the client sent it (`originalUrl`), or as a mounted router sees it (`url`). */
export interface TargetedRequest {
  /** Path and query string, as the router sees them. */
  readonly url: string;
  /** Path and query string as they were sent. Default: `url`. */
  readonly originalUrl?: string;
}

/** The part of the target after the first question mark, still percent-encoded. */
export function rawQuery(request: TargetedRequest): string {
  const target = request.originalUrl ?? request.url;
  const mark = target.indexOf('?');
  return mark < 0 ? '' : target.slice(mark + 1);
}
