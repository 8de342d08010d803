/** The steps that both endpoints share: the disconnect of the client, the answer as JSON, errors to the next handler. */

import type { Read } from '../endpoint/read.ts';
import { cacheHeadersOf, tellCaches } from '../endpoint/cache-headers.ts';
import { ClientGone } from '../endpoint/gone.ts';
import { addTimingTo } from '../endpoint/server-timing.ts';
import type { EndpointNext, EndpointRequest, EndpointResponse } from './endpoint-types.ts';

/** The handler that sends what a request reads. Errors are passed to the next error handler. */
export function endpoint<Request extends EndpointRequest, Answer, Input>(
  read: Read<Request, Answer, Input>,
  inputOf: (request: Request) => Input | Promise<Input>,
  scoped: boolean,
): (request: Request, response: EndpointResponse<Answer>, next: EndpointNext) => Promise<void> {
  return async (request, response, next) => {
    const gone = new ClientGone(response);
    try {
      const input = inputOf(request);
      const result = await read(
        request,
        input instanceof Promise ? await input : input,
        gone,
        addTimingTo(response),
      );
      if (gone.aborted) return;
      if (scoped) tellCaches(cacheHeadersOf(response), scoped);
      response.json(result);
    } catch (error) {
      if (!gone.aborted) next(error);
    } finally {
      gone.end();
    }
  };
}
