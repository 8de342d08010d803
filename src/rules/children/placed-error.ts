/** Errors about the children of an include name its parameter and the path from the rows of the endpoint. */

import { QueryError } from '../../schema/index.ts';

/**
 * Runs the work for the children of an include whose parameters are named as those of the endpoint.
 *
 * @param param the parameter of errors that name none
 */
export function forChildren<T>(path: string, param: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { code, message, details } = error;
    const given = details as { readonly param?: string; readonly path?: string };
    const own = given.param ?? param;
    const name = own?.replace(/^[^[]+/, (base) => `include[${path}][${base}]`);
    throw new QueryError<typeof code>(
      code,
      message.replace(`"${own}"`, () => `"${name}"`),
      {
        ...details,
        ...(name !== undefined && { param: name }),
        ...(given.path !== undefined && { path: `${path}.${given.path}` }),
      },
    );
  }
}
