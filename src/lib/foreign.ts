/**
 * The place at which `@opentelemetry/api` keeps the providers of the host, as 1.0 to 1.9 have it: a symbol that all copies
 * and minor versions of the package share. A process without it is one without telemetry.
 */

const registered = Symbol.for('opentelemetry.js.api.1');

/** The providers of the host; `undefined` where it has registered none. */
export const providersOf = (process: object): object | undefined =>
  (process as { readonly [registered]?: object })[registered];
