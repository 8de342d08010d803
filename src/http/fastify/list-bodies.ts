/** A plugin for Fastify, which by itself refuses the bodies of forms. */

import { checkType } from '../list-request.ts';

const form = 'application/x-www-form-urlencoded';

/** The part of a Fastify instance that the plugin uses. */
export interface BodiesInstance {
  /** Whether bodies of the type have a parser. */
  hasContentTypeParser(type: string): boolean;
  /** Adds a parser of bodies of the type. */
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parser: (
      request: { readonly headers: { readonly [name: string]: string | string[] | undefined } },
      body: Buffer,
      done: (error: Error | null, body?: unknown) => void,
    ) => void,
  ): unknown;
}

/**
 * Lets the requests of an application have bodies of the type `application/x-www-form-urlencoded`, for list endpoints
 * under POST and QUERY: `await app.register(listBodies)`. Bodies that are compressed or in another charset than UTF-8 are
 * refused with QUERY_SYNTAX_INVALID. It holds for the instance on which it is registered and for
 * those below, and leaves the bytes in `request.body`. Where the instance has a parser of this type already, such as that
 * of `@fastify/formbody`, nothing changes.
 */
export async function listBodies(instance: BodiesInstance): Promise<void> {
  if (instance.hasContentTypeParser(form)) return;
  instance.addContentTypeParser(form, { parseAs: 'buffer' }, ({ headers }, body, done) => {
    try {
      checkType((name) => headers[name]?.toString());
    } catch (error) {
      done(error as Error);
      return;
    }
    done(null, body);
  });
}

// The marks of fastify-plugin: the parser belongs to the instance on which the plugin is registered.
Object.assign(listBodies, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: 'sluice-list-bodies',
});
