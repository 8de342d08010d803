/** Where plain http is allowed: to this machine, or if the host allows it. */

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Whether a URL refers to this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return loopback.test(hostname);
}

/** Whether a provider's URL may be requested: https, or http where no third party can read the traffic. */
export function mayBeAsked(url: URL, allowInsecureRequests: boolean): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && (allowInsecureRequests || isLoopback(url));
}
