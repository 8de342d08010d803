/** The query string of a request as its router sees it, whatever query parser its application has. */

/** A request with its target. */
export interface TargetedRequest {
  /** Path and query string, as middleware in front may have rewritten them. */
  readonly url: string;
}

/** The part of the target after the first question mark, still percent-encoded. */
export function rawQuery({ url }: TargetedRequest): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}
