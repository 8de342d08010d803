/** Texts to begin with, and requests that show them. */

import type { World } from '../state.ts';

interface PresetRequest {
  readonly title: string;
  readonly list: string;
  readonly query: string;
}

export interface Preset extends World {
  /** The name in links. */
  readonly name: string;
  readonly title: string;
  /** The first is that of the preset. */
  readonly requests: readonly [PresetRequest, ...PresetRequest[]];
}
