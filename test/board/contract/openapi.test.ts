/** The OpenAPI documents are valid, complete, and consistent with the schemas. */

import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { engineRoutes, metricsRoutes, routeTable } from '../../../src/board/contract/index.ts';
import type { EngineName, Route } from '../../../src/board/contract/index.ts';
import { openApiDocument } from '../../../src/board/openapi.ts';

const engines: readonly EngineName[] = ['kvq', 'pgq'];

describe.each(engines)('the document of a %s board', (engine) => {
  const document = openApiDocument({ engine });

  it('is valid OpenAPI 3.1.0', async () => {
    const plain: object = JSON.parse(JSON.stringify(document));
    const result = await new Validator().validate({ ...plain });
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  it('has an operation for every route, and no other', () => {
    const operations = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(operations.toSorted()).toEqual(
      [...Object.keys(engineRoutes[engine]), ...Object.keys(metricsRoutes)].toSorted(),
    );
  });

  it('has schemas that compile, without unresolved references', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(JSON.parse(JSON.stringify({ ...document, $id: 'board' })));
    for (const name of Object.keys(document.components.schemas)) {
      expect(ajv.getSchema(`board#/components/schemas/${name}`)).toBeTypeOf('function');
    }
  });

  it('describes every response, with the common body for each error', () => {
    for (const [operation, { responses }] of Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((entry) => [entry.operationId, entry] as const),
    )) {
      const route = Object.entries<Route>(routeTable).find(([name]) => name === operation)?.[1];
      expect(Object.keys(responses)).toContain(String(route?.success));
      for (const status of ['403', '500', '503']) expect(Object.keys(responses)).toContain(status);
    }
  });
});

describe('an operation', () => {
  it('describes parameters in the form in which they are sent', () => {
    const { paths } = openApiDocument({ engine: 'pgq' });
    const jobs = paths['/api/pgq/queues/{queueName}/jobs']?.['get'];
    expect(jobs?.parameters).toContainEqual({
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    });
    expect(jobs?.parameters?.at(-1)).toMatchObject({ name: 'filter', style: 'deepObject' });
    expect(jobs?.parameters?.[0]).toEqual({
      name: 'queueName',
      in: 'path',
      required: true,
      schema: { type: 'string' },
    });
  });

  it('requires a body only where a missing one is refused', () => {
    const { paths } = openApiDocument({ engine: 'kvq' });
    const required = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId, requestBody }) =>
        requestBody?.required ? [operationId] : [],
      ),
    );
    expect(required.toSorted()).toEqual([
      'changeJobDelay',
      'changeJobPriority',
      'setGlobalConcurrency',
      'updateJobData',
      'updateJobScheduler',
    ]);
  });
});
