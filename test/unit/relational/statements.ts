/** The statements of a request in one family, with the values each binds, as text for a person to read. */

import { bind, compilePlan } from '../../../src/relational/index.ts';
import type {
  CompiledChild,
  LoweringContext,
  StatementInputs,
  StatementText,
} from '../../../src/relational/index.ts';
import type { ResolvedPlan } from '../../../src/rules/index.ts';
import { planInputs } from '../../../src/relational/read/source-description.ts';

export interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The inputs of a plan; includes are read for three parents. */
export const inputsOf = (plan: ResolvedPlan): StatementInputs => planInputs(plan);

function childStatements(
  children: readonly CompiledChild[],
  given: StatementInputs,
  depth = '',
): NamedStatement[] {
  return children.flatMap(({ statement, keyLength, children: below }, index) => {
    const name = `${depth}${index + 1}`;
    const keys = [1, 2, 3].map((key) => Array.from({ length: keyLength }, (_, part) => key + part));
    const text = statement(keys.length);
    const inputs = { ...given, keys };
    return [
      { name: `include ${name}`, text: text.text, values: bind(text, inputs) },
      ...childStatements(below, given, `${name}.`),
    ];
  });
}

/** Data, count and includes of a plan. */
export function statementsOf(context: LoweringContext, plan: ResolvedPlan): NamedStatement[] {
  const { data, count, children } = compilePlan(context, plan);
  const inputs = inputsOf(plan);
  const named = (name: string, statement: StatementText): NamedStatement => ({
    name,
    text: statement.text,
    values: bind(statement, inputs),
  });
  return [
    named('data', data.statement),
    ...(count ? [named('count', count.statement)] : []),
    ...childStatements(children, inputs),
  ];
}

/** A value as JavaScript writes it. */
export const written = (value: unknown): string =>
  typeof value === 'bigint'
    ? `${value}n`
    : Array.isArray(value)
      ? `[${value.map(written).join(', ')}]`
      : (JSON.stringify(value) ?? 'undefined');
