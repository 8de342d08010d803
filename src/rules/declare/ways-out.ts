/** The remedies where a field is not one that an operator, a sort or search needs. */

import { type FieldDescriptor, isJsonMember } from '../../schema/index.ts';

/** The remedies where a companion is missing: the companion, or the endpoint's only family. */
export function waysOut(companion: 'foldedField' | 'portableOrderField'): string {
  return `add a ${companion}, or name the one database family of the endpoint in settings.families`;
}

/** The remedies where a field is not folded; a path of a json field has no companion. */
export const wayToFold = (field: FieldDescriptor): string =>
  isJsonMember(field)
    ? 'a path of a json field has none: name the one database family of the endpoint in settings.families'
    : waysOut('foldedField');

/** The obstacle of an operator on an array, with the operators that it takes. */
export const notOfArrays = (operator: string): string =>
  `${operator} compares a single value, not an array; use has, hasAny, hasAll or isEmpty.`;

/** The obstacle of every operator on a kind without order and comparison. */
export const notFiltered = (kind: string): string =>
  `${kind} fields take no operator; drop the filter.`;
