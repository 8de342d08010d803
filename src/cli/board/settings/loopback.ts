/** Addresses of this machine. */

/** Whether a host to listen on can only be reached from this machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return bare === 'localhost' || bare === '::1' || /^127(?:\.\d{1,3}){3}$/.test(bare);
}

/** Whether the `Host` of a request names this machine; a page of another site cannot send one that does. */
export function isLocalHost(header: string | undefined): boolean {
  if (header === undefined || !URL.canParse(`http://${header}`)) return false;
  const { hostname } = new URL(`http://${header}`);
  return isLoopback(hostname) || hostname.endsWith('.localhost');
}
