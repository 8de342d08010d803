/** Stands for the source check in the build for browsers, where sources have no database. */

/** No differences. */
export const sourceDifferences = (): never[] => [];
