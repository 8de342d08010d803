/**
 * The operators of a filter, one row each. Conditions, statement shapes, client types and OpenAPI documents derive from
 * the rows: a new operator of an existing form needs only a row and a test. A new form is a new member of
 * `OperatorForm`; the compiler then names each switch that does not handle it.
 */

interface Described {
  readonly name: string;
  /** Completes the sentence "Keeps rows where <path> ..." in documents. */
  readonly meaning: string;
}

/** Has an operator that keeps the other rows, of those whose field is not null. */
interface Opposed extends Described {
  readonly opposite: string;
}

/** Compares with one value for equality. */
interface EqualityForm extends Opposed {
  readonly comparison: 'equality';
  readonly need: 'equality';
  readonly arity: 'one';
  readonly negated: boolean;
  readonly sql: '=' | '<>';
  readonly filterKey: 'equals' | 'not';
}

/** Compares with one value by order. */
interface OrderForm extends Opposed {
  readonly comparison: 'order';
  readonly need: 'order';
  readonly arity: 'one';
  readonly sql: '>' | '>=' | '<' | '<=';
  readonly filterKey: 'gt' | 'gte' | 'lt' | 'lte';
  /** The rounding that keeps the result unchanged where a column cannot hold the value exactly. */
  readonly rounds: Exclude<Rounding, 'never'>;
}

/** Looks the value up in a list. */
interface MembershipForm extends Opposed {
  readonly comparison: 'membership';
  readonly need: 'equality';
  readonly arity: 'list';
  readonly negated: boolean;
  readonly filterKey: 'in' | 'notIn';
}

/** Compares with two bounds, both inclusive. */
interface RangeForm extends Described {
  readonly comparison: 'range';
  readonly need: 'order';
  readonly arity: 'pair';
}

/** Searches for a literal part of the text, in the field itself or in its folded companion. */
interface PatternForm extends Opposed {
  readonly comparison: 'pattern';
  readonly need: 'text' | 'foldedText';
  readonly arity: 'one';
  readonly negated: boolean;
  readonly place: TextPlace;
}

/** Looks values up among the members of an array: one of them, or all. */
interface MembersForm extends Opposed {
  readonly comparison: 'members';
  readonly need: 'array';
  readonly arity: 'one' | 'list';
  readonly negated: boolean;
  readonly wants: 'any' | 'all';
}

/** Tests an array for having no members. */
interface EmptyForm extends Described {
  readonly comparison: 'empty';
  readonly need: 'array';
  readonly arity: 'flag';
}

/** Tests for null, or a relation for emptiness. */
interface NullForm extends Described {
  readonly comparison: 'null';
  readonly need: 'null';
  readonly arity: 'flag';
}

/** Where a text is looked for in another. */
export type TextPlace = 'anywhere' | 'start' | 'end';

type OperatorForm =
  | EqualityForm
  | OrderForm
  | MembershipForm
  | RangeForm
  | PatternForm
  | MembersForm
  | EmptyForm
  | NullForm;

/** How a value that a column cannot hold exactly is replaced: `never` means that no stored value equals it. */
export type Rounding = 'up' | 'down' | 'never';

/** How many values the operator takes: one, any list, a pair low and high, or a flag (`true false 1 0`). */
export type OperatorArity = OperatorForm['arity'];

const members = { comparison: 'members', need: 'array', wants: 'any' } as const;

const rows = [
  {
    name: 'eq',
    opposite: 'ne',
    comparison: 'equality',
    need: 'equality',
    arity: 'one',
    negated: false,
    sql: '=',
    filterKey: 'equals',
    meaning: 'equals the value',
  },
  {
    name: 'ne',
    opposite: 'eq',
    comparison: 'equality',
    need: 'equality',
    arity: 'one',
    negated: true,
    sql: '<>',
    filterKey: 'not',
    meaning: 'differs from the value; null is left out',
  },
  {
    name: 'gt',
    opposite: 'lte',
    comparison: 'order',
    need: 'order',
    arity: 'one',
    sql: '>',
    filterKey: 'gt',
    rounds: 'down',
    meaning: 'is greater than the value',
  },
  {
    name: 'gte',
    opposite: 'lt',
    comparison: 'order',
    need: 'order',
    arity: 'one',
    sql: '>=',
    filterKey: 'gte',
    rounds: 'up',
    meaning: 'is greater than or equal to the value',
  },
  {
    name: 'lt',
    opposite: 'gte',
    comparison: 'order',
    need: 'order',
    arity: 'one',
    sql: '<',
    filterKey: 'lt',
    rounds: 'up',
    meaning: 'is less than the value',
  },
  {
    name: 'lte',
    opposite: 'gt',
    comparison: 'order',
    need: 'order',
    arity: 'one',
    sql: '<=',
    filterKey: 'lte',
    rounds: 'down',
    meaning: 'is less than or equal to the value',
  },
  {
    name: 'in',
    opposite: 'notIn',
    comparison: 'membership',
    need: 'equality',
    arity: 'list',
    negated: false,
    filterKey: 'in',
    meaning: 'is one of the values; the empty list matches nothing',
  },
  {
    name: 'notIn',
    opposite: 'in',
    comparison: 'membership',
    need: 'equality',
    arity: 'list',
    negated: true,
    filterKey: 'notIn',
    meaning: 'is none of the values; null is left out, and the empty list matches everything',
  },
  {
    name: 'between',
    comparison: 'range',
    need: 'order',
    arity: 'pair',
    meaning: 'lies between the two values, low then high, both included',
  },
  {
    name: 'like',
    opposite: 'notLike',
    comparison: 'pattern',
    need: 'text',
    arity: 'one',
    negated: false,
    place: 'anywhere',
    meaning: 'contains the text as it is written; `%` and `_` are ordinary characters',
  },
  {
    name: 'notLike',
    opposite: 'like',
    comparison: 'pattern',
    need: 'text',
    arity: 'one',
    negated: true,
    place: 'anywhere',
    meaning: 'does not contain the text as it is written; null is left out',
  },
  {
    name: 'ilike',
    opposite: 'notIlike',
    comparison: 'pattern',
    need: 'foldedText',
    arity: 'one',
    negated: false,
    place: 'anywhere',
    meaning: 'contains the text in upper or lower case; `%` and `_` are ordinary characters',
  },
  {
    name: 'notIlike',
    opposite: 'ilike',
    comparison: 'pattern',
    need: 'foldedText',
    arity: 'one',
    negated: true,
    place: 'anywhere',
    meaning: 'does not contain the text in upper or lower case; null is left out',
  },
  {
    name: 'startsWith',
    opposite: 'notStartsWith',
    comparison: 'pattern',
    need: 'text',
    arity: 'one',
    negated: false,
    place: 'start',
    meaning: 'starts with the text as it is written',
  },
  {
    name: 'notStartsWith',
    opposite: 'startsWith',
    comparison: 'pattern',
    need: 'text',
    arity: 'one',
    negated: true,
    place: 'start',
    meaning: 'does not start with the text as it is written; null is left out',
  },
  {
    name: 'istartsWith',
    opposite: 'notIstartsWith',
    comparison: 'pattern',
    need: 'foldedText',
    arity: 'one',
    negated: false,
    place: 'start',
    meaning: 'starts with the text in upper or lower case',
  },
  {
    name: 'notIstartsWith',
    opposite: 'istartsWith',
    comparison: 'pattern',
    need: 'foldedText',
    arity: 'one',
    negated: true,
    place: 'start',
    meaning: 'does not start with the text in upper or lower case; null is left out',
  },
  {
    name: 'endsWith',
    opposite: 'notEndsWith',
    comparison: 'pattern',
    need: 'text',
    arity: 'one',
    negated: false,
    place: 'end',
    meaning: 'ends with the text as it is written',
  },
  {
    name: 'notEndsWith',
    opposite: 'endsWith',
    comparison: 'pattern',
    need: 'text',
    arity: 'one',
    negated: true,
    place: 'end',
    meaning: 'does not end with the text as it is written; null is left out',
  },
  {
    name: 'has',
    opposite: 'notHas',
    ...members,
    arity: 'one',
    negated: false,
    meaning: 'has the value',
  },
  {
    name: 'notHas',
    opposite: 'has',
    ...members,
    arity: 'one',
    negated: true,
    meaning: 'lacks the value; null is left out',
  },
  {
    name: 'hasAny',
    opposite: 'notHasAny',
    ...members,
    arity: 'list',
    negated: false,
    meaning: 'has one of the values; the empty list matches nothing',
  },
  {
    name: 'notHasAny',
    opposite: 'hasAny',
    ...members,
    arity: 'list',
    negated: true,
    meaning: 'has none of the values; null is left out',
  },
  {
    name: 'hasAll',
    opposite: 'notHasAll',
    ...members,
    arity: 'list',
    negated: false,
    wants: 'all',
    meaning: 'has all of the values; the empty list matches every array',
  },
  {
    name: 'notHasAll',
    opposite: 'hasAll',
    ...members,
    arity: 'list',
    negated: true,
    wants: 'all',
    meaning: 'lacks one of the values; null is left out',
  },
  {
    name: 'isEmpty',
    comparison: 'empty',
    need: 'array',
    arity: 'flag',
    meaning: 'is empty (`true`) or not empty (`false`); null is left out',
  },
  {
    name: 'isNull',
    comparison: 'null',
    need: 'null',
    arity: 'flag',
    meaning: 'is null (`true`) or is not null (`false`)',
  },
] as const satisfies readonly OperatorForm[];

type Rows = (typeof rows)[number];

/** The name of an operator, as in `filter[path][operator]`. */
export type OperatorName = Rows['name'];

/** Names of the operators whose rows have these properties. */
export type OperatorsWith<Properties> = Extract<Rows, Properties>['name'];

type Arities = { readonly [Row in Rows as Row['name']]: Row['arity'] };

export type ArityOf<Name extends OperatorName> = Arities[Name];

/** The row of one operator: its name, the arity of its operand, its requirement on a field, and its meaning. */
export type OperatorRow = OperatorForm & {
  /** Name of the operator, as clients write it. */
  readonly name: OperatorName;
  /** The operator that keeps the other rows, of those whose field is not null. */
  readonly opposite?: OperatorName;
};

/** Operators by name. A `Map`, so that `constructor` and `__proto__` are not found. */
export const operators: ReadonlyMap<string, OperatorRow> = new Map(
  rows.map((row) => [row.name, Object.freeze(row)]),
);

/** The rows of all operators, in the order of the documentation. */
export const operatorRows: readonly OperatorRow[] = rows;

/** The row of an operator. */
export const operatorRow = (name: OperatorName): OperatorRow => operators.get(name) as OperatorRow;
