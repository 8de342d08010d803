/** The names of template databases, apart from the servers: the process of the test runner loads it. */

/** How the templates of this run begin; absent outside of the tests. */
export const templatePrefix = (): string | undefined =>
  process.env['SLUICE_RUN'] && `sluice_template_${process.env['SLUICE_RUN']}_`;
