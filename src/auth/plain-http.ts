/** Where plain http may be spoken: with this machine, or where the host says so. */

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Whether an address is one of this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return loopback.test(hostname);
}

/** Whether a provider's address may be asked: over https, or over http where nobody else can listen. */
export function mayBeAsked(url: URL, allowInsecureRequests: boolean): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && (allowInsecureRequests || isLoopback(url));
}
