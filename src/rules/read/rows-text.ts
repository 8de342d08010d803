/** The rows of a page as JSON text, for endpoints that send them and look at none. */

/** Stands for the array of rows in a result; `JSON.stringify` gives the same for both. */
export class RowsText {
  /** Number of rows. */
  readonly length: number;
  /** The objects of the rows as JSON, separated by commas. */
  readonly text: string;

  constructor(text: string, length: number) {
    this.text = text;
    this.length = length;
  }

  /** The rows as an array, for `JSON.stringify`. */
  toJSON(): unknown {
    return JSON.parse(`[${this.text}]`);
  }
}

const sources = new WeakSet<object>();

/** Notes that the rows of a source may be text, and returns it. A source that wraps it is another object. */
export function withText<Source extends object>(source: Source): Source {
  sources.add(source);
  return source;
}

/** Whether the rows of a source may be text. */
export const hasText = (source: object): boolean => sources.has(source);

/** The result with its rows as objects. */
export function withRows<Result extends object>(result: Result): Result {
  const { data } = result as { readonly data?: unknown };
  return data instanceof RowsText ? { ...result, data: data.toJSON() } : result;
}

/** The JSON of a result. */
export function resultText(result: object): string {
  const { data } = result as { readonly data?: unknown };
  if (!(data instanceof RowsText)) return JSON.stringify(result);
  const others = JSON.stringify({ ...result, data: undefined }).slice(1);
  return `{"data":[${data.text}]${others === '}' ? '' : ','}${others}`;
}
