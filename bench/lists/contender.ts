/** What the benchmark asks of each implementation. */

import type { RequestName, RequestValues } from './requests.ts';

/** The answer of a list request, ready for `JSON.stringify`; no total where none was asked for. */
export interface Answer {
  readonly data: readonly unknown[];
  readonly total?: number | undefined;
}

/** One way to answer the requests. */
export interface Contender {
  readonly name: string;
  /** Answers the variant with this running number. */
  answer(request: RequestName, values: RequestValues, variant: number): Answer | Promise<Answer>;
  close(): Promise<void> | void;
}
