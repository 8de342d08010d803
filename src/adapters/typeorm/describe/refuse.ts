/** How a property that cannot be described is handled. */

import { configurationError } from '../../../schema/index.ts';

/** Called for a property that cannot be described; when it returns, the property is left out. */
export type Refuse = (owner: string, property: string, reason: string) => void;

/** @throws {QueryError} SOURCE_CONFIGURATION_INVALID when it is called, naming entity and property. */
export const refuse: Refuse = (owner, property, reason) => {
  throw configurationError(`${owner}.${property}: ${reason}`, { entity: owner, property });
};

/** Leaves the property out, for callers that only look. */
export const leaveOut: Refuse = () => {};
