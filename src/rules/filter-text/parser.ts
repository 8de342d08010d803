/** Reads a filter text against the description of rules: groups, negations, quantifiers, and the conditions in them. */

import type { Quantifier } from '../declare/declaration.ts';
import type { RulesDescription } from '../client/describe-rules.ts';
import { ConditionReader, type Reading } from './condition-reader.ts';
import { type Level, levelOf, rootLevel } from './levels.ts';
import {
  type PlacedCondition,
  type TextNode,
  type TextSpan,
  placedConditions,
} from './placed-conditions.ts';
import { beginsOperator } from './spellings.ts';
import { isSymbol, isWord } from './token-reader.ts';
import type { Token } from './tokens.ts';

/** A parenthesis that is open, or the whole text. */
interface Frame {
  readonly level: Level;
  readonly open?: Token;
  readonly rows?: Pick<Extract<TextNode, { type: 'rows' }>, 'path' | 'quantifier'>;
  /** The alternatives before the last `or`, and the conditions after it. */
  readonly alternatives: TextNode[];
  conditions: TextNode[];
  /** The `not` before the next condition. */
  nots: Token[];
}

/** Largest number of parentheses within each other, where a client has written the text. */
const maxParentheses = 64;

/** Largest number of quantifiers within each other. */
const maxQuantifiers = 8;

const quantified = /^(.+)\.(some|every|none)$/;
/** One node of several; those of the same kind within parentheses stand beside the others. */
function joined(type: 'and' | 'or', members: readonly TextNode[]): TextNode {
  const [first] = members as readonly [TextNode];
  if (members.length === 1) return first;
  const flat = members.flatMap((each) => (each.type === type ? each.members : [each]));
  return {
    type,
    members: flat,
    groups: Math.max(...flat.map((each) => each.groups)) + (type === 'or' ? 1 : 0),
    start: first.start,
    end: (members.at(-1) ?? first).end,
  };
}

/** Reads one text, token by token. */
export class FilterTextParser extends ConditionReader {
  readonly #depth: number;
  readonly #frames: [Frame, ...Frame[]];

  constructor(description: RulesDescription, text: string, reading: Reading) {
    super(description, text, reading);
    this.#depth = description.groups?.depth ?? 0;
    this.#frames = [frame(rootLevel(description))];
  }

  /** Reads the text to its end: its conditions, with the groups and quantifiers around them. */
  parse(): PlacedCondition[] {
    if (this.isAtEnd) {
      this.expectPath(this.#frame.level);
      return [];
    }
    for (;;) {
      this.#begin();
      this.#add(this.condition(this.#frame.level));
      while (this.#frames.length > 1 && isSymbol(this.token, ')')) this.#close();
      if (this.isAtEnd) break;
      this.#joint();
    }
    this.expect({
      type: 'keyword',
      words: [...this.#joints(), ...(this.#open ? [')'] : [])],
    });
    if (this.#open) this.fail('PARENTHESIS_UNMATCHED', 'A parenthesis is not closed.', this.#open);
    return this.#placed(this.#whole(this.#frames[0]));
  }

  get #frame(): Frame {
    return this.#frames.at(-1) as Frame;
  }

  /** The last parenthesis that is open. */
  get #open(): Token | undefined {
    return this.#frame.open;
  }

  #tooDeep(at: TextSpan): never {
    this.fail('TOO_DEEP', 'Too many groups or parentheses stand within each other.', at);
  }

  /** The conditions with the groups around them, within the limits of groups. */
  #placed(tree: TextNode): PlacedCondition[] {
    const { groups } = this.description;
    let terms = 0;
    const placed = placedConditions(tree);
    for (const each of placed) {
      if (each.groups === 0) continue;
      if (!groups) this.fail('CONDITION_REPEATED', 'A path takes each operator once.', each);
      if (each.groups > groups.depth) this.#tooDeep(each);
      terms += 1;
      if (terms <= groups.terms) continue;
      const message = `A filter has at most ${groups.terms} conditions in groups.`;
      this.fail('TOO_MANY_CONDITIONS', message, each);
    }
    return placed;
  }

  #joints(): string[] {
    return this.#depth > 0 ? ['and', 'or'] : ['and'];
  }

  #joint(): void {
    const token = this.token;
    const isOr = isWord(token, 'or');
    if (isSymbol(token, ')')) {
      this.fail('PARENTHESIS_UNMATCHED', 'A parenthesis is not opened.');
    }
    const joints = this.#joints();
    if (!joints.some((word) => isWord(token, word))) {
      const hint = isOr ? '; write `in (a, b)` for several values of one path' : '';
      const message = `Conditions are joined with \`${joints.join('` or `')}\`${hint}.`;
      this.fail(isOr ? 'OR_UNSUPPORTED' : 'AND_EXPECTED', message, token, joints);
    }
    this.next();
    const { alternatives, conditions } = this.#frame;
    if (!isOr) return;
    alternatives.push(joined('and', conditions));
    this.#frame.conditions = [];
  }

  /** Reads what stands before a condition: `not`, parentheses and quantifiers. */
  #begin(): void {
    for (;;) {
      const token = this.token;
      const { level, nots } = this.#frame;
      const [following = token] = this.following(1);
      const rows = quantified.exec(token.type === 'word' ? token.value : '');
      if (isWord(token, 'not') && !(level.filters.has(token.value) && this.#isOperatorNext())) {
        if (this.#depth === 0) {
          this.fail(
            'NOT_UNSUPPORTED',
            'A condition is negated by its operator, such as `!=`, `not in` and `is not null`.',
          );
        }
        nots.push(this.next());
        if (nots.length > this.#depth) this.#tooDeep(token);
      } else if (isSymbol(token, '(')) {
        this.#frames.push(frame(level, this.next()));
        // Parentheses within each other say nothing, however many a person writes.
        if (this.reading.isUnchecked && this.#frames.length > maxParentheses) this.#tooDeep(token);
      } else if (rows && isSymbol(following, '(')) {
        this.#quantifier(rows, level);
      } else return;
    }
  }

  #quantifier([text, path = '', name]: RegExpExecArray, { prefix, quantifiers }: Level): void {
    const token = this.token;
    if (!this.reading.isUnchecked && !quantifiers.includes(text)) {
      const isKnown = quantifiers.some((each) => each.startsWith(`${path}.`));
      const code = isKnown ? 'OPERATOR_NOT_ALLOWED' : 'PATH_UNKNOWN';
      this.fail(code, 'This relation has no such quantifier.', token, quantifiers);
    }
    this.next();
    const level = levelOf(this.description, `${prefix}${path}.`);
    const open = this.next();
    this.#frames.push({
      ...frame(level, open),
      rows: { path, quantifier: `$${name as Quantifier}` },
    });
    if (this.#frames.filter((each) => each.rows).length > maxQuantifiers) this.#tooDeep(token);
  }

  /** Adds a condition to those of its parenthesis. */
  #add(condition: TextNode): void {
    const { conditions, nots } = this.#frame;
    const node = nots.reduceRight<TextNode>(
      (member, { start }) => ({
        type: 'not',
        member,
        groups: member.groups + 1,
        start,
        end: member.end,
      }),
      condition,
    );
    if (node.groups > this.#depth) this.#tooDeep(node);
    this.#frame.nots = [];
    conditions.push(node);
  }

  #whole({ alternatives, conditions }: Frame): TextNode {
    const node = joined('or', [...alternatives, joined('and', conditions)]);
    if (node.groups > this.#depth) this.#tooDeep(node);
    return node;
  }

  #close(): void {
    const { end } = this.next();
    const { rows, open } = this.#frame;
    const member = this.#whole(this.#frame);
    this.#frames.pop();
    const start = open?.start ?? 0;
    this.#add(rows ? { type: 'rows', ...rows, member, groups: member.groups, start, end } : member);
  }

  /** Whether an operator follows the current token. */
  #isOperatorNext(): boolean {
    const words = this.following(3);
    return beginsOperator(words.map(({ value }) => value.toLowerCase()));
  }
}

const frame = (level: Level, open?: Token): Frame => ({
  level,
  ...(open && { open }),
  alternatives: [],
  conditions: [],
  nots: [],
});
