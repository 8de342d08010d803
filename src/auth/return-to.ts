/** Where a browser goes after a login: a path of this board, whatever the request said. */

/** Longest path that is followed, in characters. */
const longest = 1024;

/** Routes that a login does not lead to: they would start another one, or end the session at once. */
const loops = ['/auth/login', '/auth/callback', '/auth/logout'];

/** The home of the board. */
export function boardHome(basePath: string): string {
  return `${basePath}/`;
}

/**
 * The path that `value` names, as a browser would resolve it, when it lies under the base path; else the home of
 * the board. Only a single slash at the start is a path: two, or one and a backslash, name another host.
 */
export function safeReturnTo(value: unknown, basePath: string): string {
  const home = boardHome(basePath);
  if (typeof value !== 'string' || value.length > longest) return home;
  // A browser drops control characters and blanks at the ends before it looks for slashes.
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
