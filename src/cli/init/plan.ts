/** The options of a run of `sluice init`, and the changes that it would make. */

import type { Code } from './code.ts';
import type { FrameworkRow, Mount } from './lists/frameworks.ts';

/** The options that name what the project does not tell. */
export interface InitOptions {
  readonly framework?: string | undefined;
  readonly source?: string | undefined;
  readonly table?: string | undefined;
  readonly database?: string | undefined;
  readonly connection?: string | undefined;
  readonly library?: string | undefined;
  readonly queues?: string | undefined;
  readonly file?: string | undefined;
  readonly path?: string | undefined;
}

/** Text that is added to a file of the project. */
export interface Edit {
  readonly file: string;
  readonly added: readonly { readonly at: number | 'end'; readonly text: string }[];
}

/** The changes that would be written. */
export interface InitPlan {
  /** Lines on what was found, after those on the project. */
  readonly found: readonly string[];
  readonly framework: FrameworkRow;
  readonly modules: readonly Code[];
  readonly mount?: Mount;
  readonly edits: readonly Edit[];
  /** Lines on what to do then. */
  readonly next: readonly string[];
}
