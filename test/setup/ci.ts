/** Whether tests run in CI, where a lacking server or browser is a failure and nothing is left out. */

/** The variable `CI`, as most tools read it: set, and not to a value that switches it off. */
export const saysCi = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false'].includes(value.toLowerCase());

export const isCi = saysCi(process.env['CI']);
