/**
 * JSON whose numbers keep their digits. A number that JavaScript would round is a raw value, which `JSON.stringify` writes as
 * it was read; every other value is an ordinary one.
 */

import { randomUUID } from 'node:crypto';
import { isRecord } from '../../../lib/index.ts';
import { storableValue } from '../../contract/index.ts';
import { BoardError } from '../board-error.ts';
import { behindText, exceedsLimits } from './nesting.ts';

/** A number by its text. */
interface RawNumber {
  readonly rawJSON: string;
}

/** The parts of `JSON` that TypeScript does not know yet. */
const json = JSON as unknown as {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
};

/** Without these, each number has at most 15 digits and no exponent, so that JavaScript holds it. */
const mayRound = /[\d.]{16}|\d[eE]/;

/** The significant digits of a number, and the power of ten of the last one. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = (whole + part).replace(/^0+/, '');
  const digits = all.replace(/0+$/, '');
  if (digits === '') return '0';
  return `${sign}${digits}e${Number(exponent) - part.length + all.length - digits.length}`;
}

/** Exponents with which JavaScript holds every number of 15 digits. */
const safeExponent = 290;

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Whether JavaScript holds the number that the text writes; texts that are not numbers are left to the parser. */
function isHeld(source: string): boolean {
  const mark = source.search(/[eE]/);
  const length = mark < 0 ? source.length : mark;
  if (length <= 15 && Math.abs(Number(source.slice(mark + 1))) <= safeExponent) return true;
  if (!number.test(source)) return true;
  const written = String(Number(source));
  return written === source || digitsOf(written) === digitsOf(source);
}

const inNumber = (code: number): boolean =>
  (code >= 48 && code <= 57) ||
  code === 45 ||
  code === 43 ||
  code === 46 ||
  code === 69 ||
  code === 101;

/** The JSON text with each number that JavaScript would round as a text behind `mark`; `null` where there is none. */
function withMarks(text: string, mark: string, most: number): string | null {
  const pieces: string[] = [];
  let copied = 0;
  let count = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      at = behindText(text, at);
    } else if (code === 45 || (code >= 48 && code <= 57)) {
      let end = at + 1;
      let mayBeLong = false;
      for (; end < text.length; end += 1) {
        const next = text.charCodeAt(end);
        if (!inNumber(next)) break;
        mayBeLong ||= next === 69 || next === 101;
      }
      const source = mayBeLong || end - at > 15 ? text.slice(at, end) : '';
      if (source !== '' && !isHeld(source)) {
        count += 1;
        if (count > most) throw new SyntaxError('Too many numbers that JavaScript would round.');
        pieces.push(text.slice(copied, at), '"', mark, source, '"');
        copied = end;
      }
      at = end;
    } else {
      at += 1;
    }
  }
  return copied === 0 ? null : [...pieces, text.slice(copied)].join('');
}

/**
 * The value, with its numbers by their texts where JavaScript would round them. A reviver of `JSON.parse` would take half a
 * minute for the largest bodies.
 *
 * @param most the largest number of numbers that JavaScript would round; default no limit
 * @throws {SyntaxError} when the text is not JSON, or has more such numbers
 */
export function parseExact(text: string, most = Infinity): unknown {
  const plain: unknown = JSON.parse(text);
  if (!mayRound.test(text)) return plain;
  // Nobody can guess the mark, so no text of a client is taken for a number.
  const mark = `number ${randomUUID()} `;
  const marked = withMarks(text, mark, most);
  if (marked === null) return plain;
  const holder: { value: unknown } = { value: JSON.parse(marked) };
  for (const pending: object[] = [holder]; pending.length > 0;) {
    const parent = pending.pop() as object;
    for (const name of Object.keys(parent)) {
      const value: unknown = Reflect.getOwnPropertyDescriptor(parent, name)?.value;
      if (typeof value === 'object' && value !== null) {
        pending.push(value);
      } else if (typeof value === 'string' && value.startsWith(mark)) {
        Object.defineProperty(parent, name, { value: json.rawJSON(value.slice(mark.length)) });
      }
    }
  }
  return holder.value;
}

/** Numbers of a request that JavaScript would round: each costs some microseconds, in which the process does nothing else. */
const mostSentNumbers = 50_000;

/**
 * The value of a JSON text that a client has sent. Its limits are checked before it is parsed.
 *
 * @throws {SyntaxError} when the text is not JSON, or exceeds the limits
 */
export function parseSent(text: string): unknown {
  if (exceedsLimits(text)) throw new SyntaxError('Too many or too deeply nested parts.');
  return parseExact(text, mostSentNumbers);
}

/** The number as clients of JSON see it: too large ones are null. */
function rounded({ rawJSON }: RawNumber): number | null {
  const value = Number(rawJSON);
  return Number.isFinite(value) ? value : null;
}

/** The value as JavaScript holds it. */
export function rounding(value: unknown): unknown {
  if (json.isRawJSON(value)) return rounded(value);
  if (Array.isArray(value)) {
    const items = value.map(rounding);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, rounding(item)] as const);
  return entries.some(([name, item]) => item !== value[name]) ? Object.fromEntries(entries) : value;
}

/** All values within one that are neither lists nor objects. */
function leavesOf(value: unknown): unknown[] {
  const leaves: unknown[] = [];
  for (const pending = [value]; pending.length > 0;) {
    const item = pending.pop();
    if (json.isRawJSON(item) || typeof item !== 'object' || item === null) leaves.push(item);
    else for (const inner of Object.values(item)) pending.push(inner);
  }
  return leaves;
}

function invalid(field: string, message?: string): BoardError {
  return new BoardError('INVALID_REQUEST_BODY', {
    code: 'INVALID_REQUEST',
    options: { field },
    ...(message !== undefined && { message }),
  });
}

/**
 * The value to store for one that a client has sent: a number that it was shown rounded keeps the stored digits in its
 * place. The sent value itself where nothing is kept.
 *
 * @param stored the value of {@link parseExact}
 * @throws {BoardError} INVALID_REQUEST_BODY for `field`, if given, when such a number was moved to another place
 */
export function withStoredDigits(
  sent: unknown,
  stored: unknown,
  field: string | undefined,
): unknown {
  const kept = new Set<RawNumber>();
  const place = (value: unknown, before: unknown): unknown => {
    if (json.isRawJSON(before)) {
      if (value !== rounded(before)) return value;
      kept.add(before);
      return before;
    }
    if (Array.isArray(value)) {
      return Array.isArray(before) ? value.map((item, index) => place(item, before[index])) : value;
    }
    if (!isRecord(value) || !isRecord(before) || json.isRawJSON(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        Object.hasOwn(before, name) ? place(item, before[name]) : item,
      ]),
    );
  };
  const all = leavesOf(stored).filter((leaf) => json.isRawJSON(leaf));
  if (all.length === 0) return sent;
  const placed = place(sent, stored);
  const lost = new Set(all.filter((leaf) => !kept.has(leaf)).map(rounded));
  lost.delete(null);
  if (field !== undefined && lost.size > 0) {
    for (const leaf of leavesOf(placed)) {
      if (typeof leaf !== 'number' || !lost.has(leaf)) continue;
      throw invalid(
        field,
        'A number was moved of which JSON shows only the first digits; send "raw".',
      );
    }
  }
  return kept.size > 0 ? placed : sent;
}

/**
 * The value that a client has sent: with `raw`, by its JSON text.
 *
 * @throws {BoardError} INVALID_REQUEST_BODY for `field` when the text is not JSON
 */
export function sentValue(value: unknown, raw: boolean, field: string): unknown {
  if (!raw || value === undefined) return value;
  const refusal = invalid(field, 'With "raw", it must be a JSON text.');
  if (typeof value !== 'string') throw refusal;
  let parsed: unknown;
  try {
    parsed = parseSent(value);
  } catch {
    throw refusal;
  }
  if (!storableValue.safeParse(parsed).success) throw invalid(field);
  return parsed;
}
