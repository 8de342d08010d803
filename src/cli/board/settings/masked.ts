/** Addresses of datastores for people: without their passwords. */

/** The URL without its password, query and fragment; only the scheme of a text that is not a URL. */
export function masked(url: string): string {
  if (url.startsWith('/')) return url.split('?', 1)[0] ?? '';
  if (!/^[a-z]+:\/\//i.test(url) || !URL.canParse(url))
    return `${/^[a-z]+:/i.exec(url)?.[0] ?? ''}...`;
  const { protocol, username, password, host, pathname } = new URL(url);
  const user = username === '' && password === '' ? '' : `${username}${password && ':***'}@`;
  return `${protocol}//${user}${host}${pathname}`;
}
