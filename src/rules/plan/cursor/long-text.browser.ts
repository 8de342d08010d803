/** Stands for long texts in the build for browsers, whose cursors contain complete texts. */

import type { CompiledQueryRules } from '../../declare/compiled.ts';
import type { CursorValue } from './cursor-value.ts';
import type { KeysetPosition, OrderTerm } from '../plan.ts';

export const cursorValues = (
  _rules: CompiledQueryRules,
  _order: readonly OrderTerm[],
  values: readonly (string | null)[],
): readonly CursorValue[] => values;

export const positionValues = (
  _rules: CompiledQueryRules,
  _order: readonly OrderTerm[],
  { values }: KeysetPosition,
): CursorValue[] => values.map((value) => (value === null ? null : String(value)));

export const beginningOf = (): undefined => undefined;

export const textDigest = (text: string): string => text;
