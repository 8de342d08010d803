/** Warns the host once that a proxy tells what is not read, because `trustProxy` does not say how many there are. */

import type { Exchange } from '../exchange.ts';
import type { AuthOptions } from '../options.ts';

/** Headers that proxies write. */
const written = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded'];

/** Watches requests until one has such a header. A number in the options, also 0, is an answer. */
export function proxyNotice({
  strategy,
  publicUrl,
  trustProxy,
}: AuthOptions): (exchange: Exchange) => void {
  // Nothing is read of them then.
  let settled = trustProxy !== undefined || (strategy === 'oidc' && publicUrl !== undefined);
  return ({ req: { headers } }) => {
    if (settled || !written.some((name) => headers[name] !== undefined)) return;
    settled = true;
    console.warn(
      'sluice/auth: requests carry headers of a proxy, such as X-Forwarded-For, which are ignored. Set `trustProxy` to the number of proxies in front of this process, or to 0 if there are none.',
    );
  };
}
