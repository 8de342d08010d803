/** Reads one condition of a filter text: its path, operator and value. */

import { type OperatorName, operatorRow } from '../declare/operators.ts';
import type { DescribedFilter, RulesDescription } from '../client/describe-rules.ts';
import type { Level } from './levels.ts';
import type { FilterTextOperand, TextNode } from './placed-conditions.ts';
import {
  type Clock,
  goesOn,
  hasTimes,
  isDuration,
  lengthOf,
  relativeTime,
} from './relative-times.ts';
import { type Spelling, operatorFor, operatorTexts, spellingsFrom } from './spellings.ts';
import { TokenReader, isSymbol, isWord } from './token-reader.ts';
import { isKeyword } from './tokens.ts';
import { type FilterTextValue, readValue } from './values.ts';

/** How a text is read. */
export interface Reading extends Clock {
  /** Whether paths, operators and values are left to another check. */
  readonly isUnchecked?: boolean;
}

const opposites: { readonly [Name in OperatorName]?: OperatorName } = {
  gt: 'lt',
  gte: 'lte',
  lt: 'gt',
  lte: 'gte',
};

/** Reads conditions against the description of rules. */
export class ConditionReader extends TokenReader {
  protected readonly description: RulesDescription;
  protected readonly reading: Reading;
  #count = 0;
  /** Whether a value of the current condition is told from now. */
  #isRelative = false;

  constructor(description: RulesDescription, text: string, reading: Reading) {
    super(text);
    this.description = description;
    this.reading = reading;
  }

  /** Reads one condition on a path of the level. */
  condition(level: Level): TextNode {
    const { start } = this.token;
    const filter = this.#path(level);
    const operatorStart = this.token.start;
    const found = this.#spelling(filter);
    const end = this.lastEnd;
    const { isUnchecked } = this.reading;
    // An age that is smaller is a time that is later.
    const isAge = hasTimes(filter) && isDuration(this.token.value);
    const meant = (isAge && opposites[found.operator]) || found.operator;
    const operator = operatorFor(filter, meant) ?? (isUnchecked ? meant : undefined);
    if (!operator) {
      const message = 'The path does not take this operator.';
      this.fail(
        'OPERATOR_NOT_ALLOWED',
        message,
        { start: operatorStart, end },
        operatorTexts(filter),
      );
    }
    const { maxFilters } = this.description.limits;
    this.#count += 1;
    if (this.#count > maxFilters) {
      const message = `A filter has at most ${maxFilters} conditions.`;
      this.fail('TOO_MANY_CONDITIONS', message, { start, end });
    }
    this.#isRelative = false;
    const operand = found.flag ?? this.#operand(filter, operator);
    const valueEnd = this.lastEnd;
    const { path } = filter;
    return {
      type: 'condition',
      path,
      operator,
      operand,
      isRelative: this.#isRelative,
      groups: 0,
      start,
      end,
      valueEnd,
    };
  }

  /** Notes that a path may follow here, and returns the words that may. */
  expectPath({ filters, quantifiers }: Level): readonly string[] {
    const words = [
      ...filters.keys(),
      ...quantifiers.map((each) => `${each}(`),
      ...(this.description.groups ? ['not'] : []),
    ];
    this.expect({ type: 'path', words, start: this.token.start });
    return words;
  }

  #path(level: Level): DescribedFilter {
    const words = this.expectPath(level);
    const token = this.token;
    if (token.type !== 'word') {
      this.fail('PATH_EXPECTED', 'A condition begins with a path.', token, words);
    }
    const filter = level.filters.get(token.value);
    if (!filter && !this.reading.isUnchecked) {
      this.fail('PATH_UNKNOWN', 'This path has no filter.', token, words);
    }
    this.next();
    return filter ?? { path: token.value, kind: null, operators: [], nullable: true, many: false };
  }

  /** Takes the longest spelling, so that `is not null` is not `is` with a value. */
  #spelling(filter: DescribedFilter): Spelling {
    const first = this.token;
    const parts: string[] = [];
    for (;;) {
      this.expect({ type: 'operator', filter, start: first.start });
      const token = this.token;
      const isPart = token.type === 'word' || token.type === 'symbol';
      const next = isPart ? spellingsFrom([...parts, token.value.toLowerCase()]) : [];
      if (next.length === 0) break;
      parts.push(token.value.toLowerCase());
      this.next();
      const found = next.find((each) => each.parts.length === parts.length);
      // No spelling continues a complete one.
      if (found) return found;
    }
    const { start } = parts.length > 0 ? first : this.token;
    const { end } = this.token;
    const message = 'An operator follows the path.';
    this.fail('OPERATOR_EXPECTED', message, { start, end }, operatorTexts(filter));
  }

  #operand(filter: DescribedFilter, operator: OperatorName): FilterTextOperand {
    if (operator === 'between') {
      const isAge = hasTimes(filter) && isDuration(this.token.value);
      const low = this.#value(filter, operator);
      this.keyword('and');
      const pair = [low, this.#value(filter, operator)];
      return isAge ? pair.reverse() : pair;
    }
    if (operatorRow(operator).arity === 'list') return this.#list(filter, operator);
    return this.#value(filter, operator);
  }

  #list(filter: DescribedFilter, operator: OperatorName): readonly FilterTextValue[] {
    const { maxListLength } = this.description.limits;
    const values: FilterTextValue[] = [];
    this.keyword('(');
    if (isSymbol(this.token, ')')) {
      this.next();
      return values;
    }
    do {
      const token = this.token;
      values.push(this.#value(filter, operator));
      if (values.length > maxListLength && !this.reading.isUnchecked) {
        this.fail('LIST_TOO_LONG', `A list has at most ${maxListLength} values.`, token);
      }
    } while (this.keyword(',', ')') === ',');
    return values;
  }

  #value(filter: DescribedFilter, operator: OperatorName): FilterTextValue {
    const token = this.token;
    const { members = [] } = filter;
    const isText = token.type === 'quoted' || (token.type === 'word' && !isKeyword(token.value));
    if (!isText) {
      this.expect({ type: 'value', filter, operator });
      const message = isWord(token, 'null')
        ? 'Null is found with `is null`; put the text in quotes.'
        : 'A value follows; put it in quotes where it has spaces, symbols or a meaning of its own.';
      this.fail('VALUE_EXPECTED', message, token, members);
    }
    const { value: written } = this.next();
    const isTime = token.type === 'word' && hasTimes(filter);
    const isLength = filter.milliseconds === true && isDuration(written);
    const plain = isLength ? String(lengthOf(written)) : written;
    const text = isTime ? this.#relative(filter, operator, written) : plain;
    if (this.reading.isUnchecked) return text;
    const read = readValue(filter, operator, text, this.description.limits);
    if ('accepts' in read) {
      const at = { start: token.start, end: this.lastEnd };
      this.fail('VALUE_INVALID', `The value must be ${read.accepts}.`, at, members);
    }
    return read.value;
  }

  /** The time that a word and those behind it tell from now; the text itself where they tell none. */
  #relative(filter: DescribedFilter, operator: OperatorName, word: string): string {
    if (isDuration(word) && operator !== 'between' && !(operator in opposites)) return word;
    let text = word;
    while (this.token.type === 'word' && goesOn(text, this.token.value)) {
      text += this.next().value;
    }
    const time = relativeTime(filter, text, this.reading);
    this.#isRelative ||= time !== undefined;
    return time ?? text;
  }
}
