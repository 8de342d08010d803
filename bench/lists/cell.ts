/** One contender on one request. */

import type { Measured } from '../measure.ts';
import type { RequestName } from './requests.ts';

export interface Cell extends Measured {
  readonly request: RequestName;
  readonly statements: number;
}
