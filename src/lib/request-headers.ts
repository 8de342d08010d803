/** Headers of requests: the items of `Accept` and `Accept-Encoding` with their weights, and whether an ETag is known. */

/** Items that are looked at. */
const most = 20;

/** The weight of each item by its name in lower case, the greatest where it is named more than once. */
export function acceptedWeights(header: unknown): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const item of String(header ?? '')
    .toLowerCase()
    .split(',', most)) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const quality = parameters.find((part) => part.startsWith('q='));
    const given = quality === undefined ? 1 : Number(quality.slice(2));
    const weight = Number.isFinite(given) ? given : 0;
    weights.set(name, Math.max(weight, weights.get(name) ?? 0));
  }
  return weights;
}

/** Whether the client names HTML, as browsers do when they navigate. */
export const acceptsHtml = (accept: unknown): boolean =>
  (acceptedWeights(accept).get('text/html') ?? 0) > 0;

/** Whether `If-None-Match` names the ETag or `*`. Weak and strong ETags of one content are equal. */
export function isKnown(ifNoneMatch: unknown, etag: string): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === null) return false;
  const opaque = etag.replace(/^W\//, '');
  return String(ifNoneMatch)
    .split(',')
    .map((item) => item.trim())
    .some((item) => item === '*' || item.replace(/^W\//, '') === opaque);
}
