/** Values in a filter text: texts to values of a kind, and values to texts. */

import { valueText } from '../client/build-query.ts';
import type { DescribedFilter } from '../client/describe-rules.ts';
import type { QueryLimits } from '../declare/declaration.ts';
import { type OperatorName, operatorRow } from '../declare/operators.ts';
import type { ClientValue } from '../typed/rules-types.ts';
import { comparedKind, fieldKindRow, isStorableText, kindRow } from '../../schema/index.ts';
import { quotedIfNeeded } from './tokens.ts';

/** A value as `buildQuery` takes it: numbers of kinds that JavaScript has exactly, otherwise canonical text. */
export type FilterTextValue = string | number | boolean;

/** A read value, or a noun phrase that says which texts are accepted. */
export type ReadValue = { readonly value: FilterTextValue } | { readonly accepts: string };

const isPattern = (operator: OperatorName): boolean =>
  operatorRow(operator).comparison === 'pattern';

/** The value that a text means for an operator of a path. */
export function readValue(
  { kind, unsigned, members, wholeDays }: DescribedFilter,
  operator: OperatorName,
  text: string,
  { maxTextLength }: QueryLimits,
): ReadValue {
  if (
    (isPattern(operator) || (kind !== null && comparedKind(kind) === 'string')) &&
    text.length > maxTextLength
  ) {
    return { accepts: `text of at most ${maxTextLength} characters` };
  }
  if (isPattern(operator)) {
    return isStorableText(text)
      ? { value: text }
      : { accepts: 'text without NUL characters and unpaired surrogates' };
  }
  if (kind === null) return { accepts: 'nothing' };
  if (wholeDays && kindRow('date').coerce(text) !== undefined) return { value: text };
  const { accepts, coerce } = fieldKindRow({ kind, ...(unsigned && { unsigned }) });
  const value = members && !members.includes(text) ? undefined : coerce(text);
  if (value !== undefined) return { value };
  return { accepts: wholeDays ? `${accepts}, or a day as YYYY-MM-DD` : accepts };
}

/** A value as text, quoted where it would mean something else. */
export const printValue = (value: ClientValue): string => quotedIfNeeded(valueText(value));
