/** Where plain http may be spoken: with this machine, or where the host says so. */

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Whether a provider's address may be asked: over https, or over http where nobody else can listen. */
export function mayBeAsked({ protocol, hostname }: URL, allowInsecureRequests: boolean): boolean {
  if (protocol === 'https:') return true;
  return protocol === 'http:' && (allowInsecureRequests || loopback.test(hostname));
}
