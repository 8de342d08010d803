/** What is done about a property that cannot be described. */

import { configurationError } from '../../schema/index.ts';

/** Hears of a property that cannot be described; where it returns, the property is left out. */
export type Refuse = (owner: string, property: string, reason: string) => void;

/** @throws QueryError `SOURCE_CONFIGURATION_INVALID` naming entity and property, always */
export const refuse: Refuse = (owner, property, reason) => {
  throw configurationError(`${owner}.${property}: ${reason}`, { entity: owner, property });
};

/** Leaves out what cannot be described, for those who only look. */
export const leaveOut: Refuse = () => {};
