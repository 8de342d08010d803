/** The folder of the package: both `src/cli` and `dist/cli` are two levels below it. */

/** Address of the folder, ending in a slash. */
export const packageFolder: URL = new URL('../../', import.meta.url);
