/** The client of a request as limits count it: its address, behind as many proxies as the host trusts. */

import { isIP } from 'node:net';
import type { AuthRequest } from '../web.ts';

/**
 * The item of a list of proxies that the outermost trusted one has written: each appends one at the end, and a client may
 * have written those before. The first item where there are fewer; `undefined` without a proxy or an item.
 */
export function forwardedItem(
  value: string | readonly string[] | undefined,
  hops: number,
): string | undefined {
  if (hops === 0 || value === undefined) return undefined;
  const items = [value].flat().join(',').split(',');
  return (items.at(-hops) ?? items[0])?.trim() || undefined;
}

/**
 * The client as text, '' if unknown. An IPv6 client is its /64, because one owner has all of its addresses; an IPv4 one
 * is the same in each notation. An item that is not an address counts as the connection.
 */
export function clientOf({ headers, socket }: AuthRequest, hops: number): string {
  const forwarded = forwardedItem(headers['x-forwarded-for'], hops);
  return ownerOf(forwarded) ?? ownerOf(socket.remoteAddress) ?? '';
}

function ownerOf(text = ''): string | null {
  const [, bracketed, beforePort] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = (bracketed ?? beforePort ?? text).replace(/%.*$/, '');
  if (isIP(address) === 4) return address;
  if (isIP(address) !== 6) return null;
  const groups = groupsOf(new URL(`http://[${address}]`).hostname.slice(1, -1));
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535';
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight numbers of an address in the form of URLs: hexadecimal, with `::` for the longest run of zeros. */
function groupsOf(address: string): number[] {
  const [before = [], after = []] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}
