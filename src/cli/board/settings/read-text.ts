/** Reads the text of a flag or an environment variable as the type of its setting. */

/** How the text of a setting is read. */
export interface ReadText<Value> {
  /** Follows "must be", such as `a whole number`. */
  readonly expected: string;
  /** Whether a flag takes a value. */
  readonly takesValue: boolean;
  /** The value, `undefined` when the text is none. */
  parse(text: string): Value | undefined;
}

/** Text with at least one character other than a blank. */
export const text: ReadText<string> = {
  expected: 'a non-empty text',
  takesValue: true,
  parse: (given) => (given.trim() === '' ? undefined : given.trim()),
};

/** Parts separated by commas. */
export const list: ReadText<readonly string[]> = {
  expected: 'a list such as a,b',
  takesValue: true,
  parse(given) {
    const parts = given.split(',').map((part) => part.trim());
    return parts.includes('') ? undefined : parts;
  },
};

/** A whole number within limits, in decimal digits. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): ReadText<number> {
  const bounds =
    most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return {
    expected: `a whole number ${bounds}`,
    takesValue: true,
    parse(given) {
      const number = /^\d{1,15}$/.test(given.trim()) ? Number(given) : Number.NaN;
      return number >= least && number <= most ? number : undefined;
    },
  };
}

/** A TCP port; 0 lets the system choose. */
export const port: ReadText<number> = { ...wholeNumber(0, 65_535) };

const falses: ReadonlySet<string> = new Set(['0', 'false', 'no', '']);
const trues: ReadonlySet<string> = new Set(['1', 'true', 'yes']);

/** A flag without a value, and a variable such as `true` or `0`. */
export const isBoolean: ReadText<boolean> = {
  expected: 'true or false',
  takesValue: false,
  parse(given) {
    const word = given.trim().toLowerCase();
    if (falses.has(word)) return false;
    return trues.has(word) ? true : undefined;
  },
};
