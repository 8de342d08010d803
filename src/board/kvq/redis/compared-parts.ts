/** Further fields of a hash that a filter as text compares; both libraries name the attempts of their own. */

import type { ComparedParts } from '../model/driver.ts';

/** The fields, as arguments in a script. */
export const comparedFields = "'processedOn', 'pb', 'attemptsMade', 'atm', 'priority'";

/** The parts of the values of these fields. */
export function comparedParts(id: string, state: string, values: unknown): ComparedParts {
  const [processedOn, processedBy, made, attempts, priority]: unknown[] = Array.isArray(values)
    ? values
    : [];
  return {
    id,
    state,
    processedOn: Number(processedOn) || null,
    processedBy: processedBy ? String(processedBy) : null,
    attemptsMade: Number(made ?? attempts) || 0,
    priority: Number(priority) || 0,
  };
}
