/** Runs the functions of the host on one job. A function that fails marks its job, and no other job or request. */

import { isObject } from '../../lib/index.ts';
import { BoardError } from './board-error.ts';
import { withinDepth } from './values/within-depth.ts';

/** The mark of a job, as in the contract. */
type Problem = ReturnType<BoardError['toJSON']>['error'];

export class HostFunctions {
  readonly #note: (field: string, thrown: unknown) => void;
  readonly #failed: string[] = [];

  /** @param note receives each failure, for the log of the host */
  constructor(note: (field: string, thrown: unknown) => void) {
    this.#note = note;
  }

  /** The returned value, truncated if nested too deeply; undefined when it fails or returns no JSON. */
  run(field: string, work: () => unknown): unknown {
    try {
      const value = withinDepth(work());
      if (isPromise(value)) throw new TypeError('The function must not return a promise.');
      JSON.stringify(value);
      return value;
    } catch (thrown) {
      this.fail(field, thrown);
      return undefined;
    }
  }

  /** Marks the job because of this field. */
  fail(field: string, thrown: unknown): void {
    this.#failed.push(field);
    this.#note(field, thrown);
  }

  /** The mark of the job; a member to spread. */
  get mark(): { readonly problem?: { key: string; options?: Record<string, unknown> } } {
    if (this.#failed.length === 0) return {};
    const { error }: { error: Problem } = new BoardError('FORMATTER_FAILED', {
      options: { fields: this.#failed },
    }).toJSON();
    return { problem: { ...error, options: { ...error.options } } };
  }
}

/** Also handles a later rejection, which would end the process. */
function isPromise(value: unknown): boolean {
  if (!isObject(value) || typeof Reflect.get(value, 'then') !== 'function') return false;
  Promise.resolve(value).catch(() => undefined);
  return true;
}
