/** A list of cities on a source, with the requests that every runtime must answer. */

import { Hono } from 'hono';
import { defineQueryRules } from 'sluice';
import * as onFetch from 'sluice/fetch';
import * as onHono from 'sluice/hono';

/** The names of the rows, whose ids count from 1. */
export const cities = ['Rome', 'Oslo', 'São Paulo'];

/** A function that answers requests, with the endpoints of `sluice/hono` below /hono and that of `sluice/fetch` at /fetch. */
export function listsOn(registry, sourceOf) {
  const rules = defineQueryRules(registry, 'city', {
    filters: [{ path: 'name', operators: ['eq', 'ilike'] }],
    sorts: ['name', 'id'],
    fields: { root: { allowed: ['id', 'name'], default: ['id', 'name'] } },
    pagination: { mode: 'both' },
  });
  return (request, environment) => {
    const source = sourceOf(environment);
    if (new URL(request.url).pathname === '/fetch') {
      return onFetch.listEndpoint({ source, rules })(request);
    }
    const app = new Hono();
    app.onError(onHono.queryErrorHandler());
    app.on(['GET', 'POST'], '/hono', onHono.listEndpoint({ source, rules }));
    app.get('/hono/:id', onHono.itemEndpoint({ source, rules }));
    return app.fetch(request);
  };
}

/** Sends the requests through `ask`, which takes the arguments of `fetch`; the status and the body of each. */
export async function answersOf(ask) {
  const answer = async (path, init) => {
    const response = await ask(path, init);
    const body = await response.json();
    return [response.status, body.code ?? body.data?.map(({ name }) => name) ?? body.name];
  };
  const walk = await (await ask('/hono?cursor=&perPage=2&sort=name')).json();
  return [
    await answer('/hono?filter[name][ilike]=PAULO'),
    await answer('/fetch?sort=-id&perPage=2'),
    await answer(`/hono?cursor=${encodeURIComponent(walk.nextCursor)}&perPage=2&sort=name`),
    await answer('/hono', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'filter[name][eq]=Oslo',
    }),
    await answer('/hono/2'),
    await answer('/hono/9'),
    await answer('/hono?sort=secret'),
  ];
}

/** The right answers. */
export const expected = [
  [200, ['São Paulo']],
  [200, ['São Paulo', 'Oslo']],
  [200, ['São Paulo']],
  [200, ['Oslo']],
  [200, 'Oslo'],
  [404, 'ROW_NOT_FOUND'],
  [400, 'FIELD_NOT_ALLOWED'],
];
