/** The values of one parameter, in the spellings that its repetition may have: `sort`, `sort[]` and `sort[0]`. */

import type { Place } from './request-key.ts';

/** A value as text, or `null` where a framework's parser produced null. */
export type Value = string | null;

/**
 * Collects values. Those of one spelling come together, in the order of the first of each, because parsers of query
 * strings group them so; numbered ones are in the order of their numbers.
 */
export class RepeatedValues {
  /** The values of `sort`, and those of `sort[]`, in the order in which the two appear. */
  readonly #groups: { readonly place: 'plain' | 'item'; readonly values: Value[] }[] = [];
  #numbered: Map<number, Value> | null = null;
  #ambiguous = false;

  add(value: Value, place: Place): void {
    if (typeof place === 'number') {
      this.#numbered ??= new Map();
      if (this.#numbered.has(place)) this.#ambiguous = true;
      this.#numbered.set(place, value);
      return;
    }
    for (const group of this.#groups) {
      if (group.place === place) return void group.values.push(value);
    }
    this.#groups.push({ place, values: [value] });
  }

  /** Adds a list without items. */
  addNone(): void {
    this.#groups.push({ place: 'item', values: [] });
  }

  /** The text that was given once and may hold several items; `undefined` when the parameter is repeated. */
  single(): Value | undefined {
    const [group, second] = this.#groups;
    const alone = group && !second && !this.#numbered;
    return alone && group.place === 'plain' && group.values.length === 1
      ? group.values[0]
      : undefined;
  }

  /** The items in order; `undefined` when numbered ones are mixed with others or have a number twice. */
  items(): Value[] | undefined {
    if (!this.#numbered) return this.#groups.flatMap(({ values }) => values);
    if (this.#ambiguous || this.#groups.length > 0) return undefined;
    return [...this.#numbered].toSorted(([a], [b]) => a - b).map(([, value]) => value);
  }
}
