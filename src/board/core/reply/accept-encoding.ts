/** Chooses the content encoding of a response from `Accept-Encoding`. */

import { acceptedWeights } from '../../../lib/index.ts';
import type { RequestHeaders } from '../request/request.ts';

/** Compressed content encodings, the smaller one first. */
export type CompressedEncoding = 'br' | 'gzip';

/** The client's preference among the encodings offered; the first one offered wins a tie. */
export function preferredEncoding(
  headers: RequestHeaders,
  offered: readonly CompressedEncoding[],
): CompressedEncoding | 'identity' {
  const given = headers['accept-encoding'];
  if (given === undefined || offered.length === 0) return 'identity';
  const weights = acceptedWeights(given);
  const weightOf = (name: string): number =>
    weights.get(name) ?? weights.get(`x-${name}`) ?? weights.get('*') ?? 0;
  // Without a word about it, an encoded response is preferred to a plain one.
  let best: { readonly name: CompressedEncoding | 'identity'; readonly weight: number } = {
    name: 'identity',
    weight: weights.get('identity') ?? 0,
  };
  for (const name of offered.toReversed()) {
    const weight = weightOf(name);
    if (weight > 0 && weight >= best.weight) best = { name, weight };
  }
  return best.name;
}
