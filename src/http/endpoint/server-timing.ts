/** The header `Server-Timing`: its value, and how it is added beside one of the host. */

import type { QueryTimings } from '../../rules/index.ts';

/** Adds a value to the header of a response that is not sent yet. */
export type AddTiming = (value: string) => void;

const millisecondDigits = 2;

/** The parts of a request in the order in which they happen. */
export function serverTiming({ plan, database, present }: QueryTimings): string {
  return Object.entries({ plan, database, present })
    .map(([name, duration]) => `${name};dur=${duration.toFixed(millisecondDigits)}`)
    .join(', ');
}

/** The part of a response of Node.js that holds headers; that of a framework may have the methods as well. */
export interface HeaderHolder {
  /** A header that is set already. */
  getHeader(name: string): unknown;
  /** Sets a header of the response. */
  setHeader(name: string, value: string): unknown;
}

const header = 'server-timing';

/** Adds values to the header of a response of Node.js. */
export const addTimingTo =
  (response: HeaderHolder): AddTiming =>
  (value) =>
    void response.setHeader(header, withTiming(response.getHeader(header), value));

/** A value of the header beside those that it has. */
export const withTiming = (own: unknown, value: string): string =>
  [own ?? [], value].flat().join(', ');
