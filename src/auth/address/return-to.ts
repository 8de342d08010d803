/** Redirect target after a login: always a path of this board, regardless of the request. */

/** Maximum length of the path, in characters. */
const longest = 1024;

/** Routes that are not redirect targets: they would start another login, or end the session immediately. */
const loops = ['/auth/login', '/auth/callback', '/auth/logout'];

/** The home page of the board. */
export function boardHome(basePath: string): string {
  return `${basePath}/`;
}

/**
 * The path in `value`, as a browser would resolve it, if it is under the base path; else the home page of the board. A
 * path starts with a single slash: two slashes, or a slash and a backslash, refer to another host.
 */
export function safeReturnTo(value: unknown, basePath: string): string {
  const home = boardHome(basePath);
  if (typeof value !== 'string' || value.length > longest) return home;
  // Browsers strip control characters and whitespace at both ends before they parse slashes.
  // oxlint-disable-next-line no-control-regex
  if (!/^\/(?![/\\])[^\u0000-\u0020\u007f\\]*$/.test(value)) return home;
  const base = 'http://board.invalid';
  if (!URL.canParse(value, base)) return home;
  const url = new URL(value, base);
  if (url.origin !== base) return home;
  if (url.pathname !== basePath && !url.pathname.startsWith(home)) return home;
  if (url.pathname.startsWith('//')) return home;
  if (loops.includes(url.pathname.slice(basePath.length))) return home;
  return url.pathname + url.search + url.hash;
}
