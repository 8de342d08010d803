/** Answers of Fastify without a body. */

import { Readable } from 'node:stream';

/** A body without bytes, which Fastify sends without the header of a length, as a 304 must be. */
export const noBody = (): Readable => Readable.from([]);
