/** The form of the generated module that contains the files of the dashboard. */

/** One file of the dashboard. */
export interface DashboardAsset {
  /** Path below the base path of the board, such as `/assets/board-3fd1.js`. */
  readonly path: string;
  /** Content type, with its charset. */
  readonly type: string;
  /** Hash of the content, for the ETag. */
  readonly hash: string;
  /** The content in Base64, by content encoding. Text is stored as `br` only. */
  readonly encodings: {
    readonly identity?: string;
    readonly br?: string;
  };
  /** Whether the path contains the hash, so that browsers need never ask for it again. */
  readonly immutable: boolean;
}

/** The files that the document of the dashboard names; paths are those of the assets. */
export interface DashboardEntry {
  /** Modules, in the order of their tags. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  /** Modules that the scripts import, fetched together with them. */
  readonly preloads: readonly string[];
  readonly icon?: string;
  /** Text of a script that runs before the first paint, such as one that sets the colour scheme. */
  readonly boot?: string;
}
