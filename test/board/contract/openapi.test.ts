/** The OpenAPI documents are valid, complete, and consistent with the schemas. */

import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createAuthMiddleware } from '../../../src/auth/index.ts';
import type { AuthOptions } from '../../../src/auth/index.ts';
import {
  authRoutes,
  engineRoutes,
  errorKeys,
  liveRoutes,
  metricsRoutes,
  exporterRoutes,
  routeTable,
} from '../../../src/board/contract/index.ts';
import type { EngineName, Route } from '../../../src/board/contract/index.ts';
import { pgqFilters } from '../../../src/board/contract/openapi/pgq-filters.ts';
import { errorTexts } from '../../../src/board/contract/error-keys.ts';
import { parameterTexts } from '../../../src/board/contract/openapi/texts/parameters.ts';
import { propertyTexts } from '../../../src/board/contract/openapi/texts/properties.ts';
import { ExpressAdapter, createBoard } from '../../../src/http/board/index.ts';
import { openApiDocument } from '../../../src/board/openapi.ts';
import { filtersOfRules } from './filters-of-rules.ts';

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
      [engineRoutes[engine], metricsRoutes, liveRoutes[engine], exporterRoutes, authRoutes]
        .flatMap(Object.keys)
        .toSorted(),
    );
  });

  it.runIf(engine === 'kvq')('lists the values of a path parameter that has only some', () => {
    const valuesOf = (path: string) =>
      document.paths[path]?.['put']?.parameters?.find(({ name }) => name === 'queueStatus')?.schema;
    expect(valuesOf('/api/queues/{queueName}/retry/{queueStatus}')).toEqual({
      type: 'string',
      enum: ['failed', 'completed'],
    });
    expect(valuesOf('/api/queues/{queueName}/clean/{queueStatus}')?.['enum']).toContain('wait');
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
      expect(Object.keys(responses)).toContain(String(route?.success ?? 'default'));
      for (const status of ['403', '500', '503']) expect(Object.keys(responses)).toContain(status);
    }
  });

  it('tells of changes without an answer where a route sends one', () => {
    const changes = Object.entries<Route>(engineRoutes[engine]).filter(
      ([name, { access, path }]) =>
        access === 'write' && !name.startsWith('preview') && !path.startsWith('/api/bulk'),
    );
    expect(changes.length).toBeGreaterThan(10);
    for (const [name, { errors }] of changes) {
      expect([name, errors]).toEqual([name, expect.arrayContaining(['OUTCOME_UNKNOWN'])]);
    }
  });
});

/** The parts of a document that the tests walk through. */
interface Part {
  readonly description?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly [key: string]: unknown;
}

/** Each property of a schema by its path, with its description. */
function* propertiesOf(schema: Part, place: string): Generator<[path: string, text: string]> {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield [`${place}.${name}`, property.description ?? ''];
    yield* propertiesOf(property, `${place}.${name}`);
  }
  const nested = [schema['items'], schema['additionalProperties']].flat();
  for (const key of ['anyOf', 'allOf', 'oneOf']) nested.push(...((schema[key] ?? []) as Part[]));
  for (const part of nested) {
    if (typeof part === 'object' && part !== null) yield* propertiesOf(part as Part, place);
  }
}

describe('the documents', () => {
  const documents = engines.map((engine) => ({ engine, document: openApiDocument({ engine }) }));
  const operations = documents.flatMap(({ document }) =>
    Object.values(document.paths).flatMap((methods) => Object.values(methods)),
  );

  /** Each property of the components and of the bodies of operations, by its path. */
  function propertyPaths(): [path: string, text: string][] {
    const properties: [string, string][] = [];
    for (const { document } of documents) {
      for (const [name, schema] of Object.entries(document.components.schemas)) {
        properties.push(...propertiesOf(schema, name));
      }
    }
    for (const { operationId, requestBody, responses } of operations) {
      for (const [status, { content }] of [
        ...Object.entries(responses),
        ['', requestBody ?? {}] as const,
      ]) {
        const media = Object.values(content ?? {}) as { readonly schema: Part }[];
        if (Number(status) >= 400) continue;
        for (const { schema } of media) properties.push(...propertiesOf(schema, operationId));
      }
    }
    return properties;
  }

  it('describe every operation, parameter, property, tag and error', () => {
    const missing: string[] = [];
    const require = (what: string, text: string | undefined): void => {
      if (!text) missing.push(what);
    };
    for (const { document } of documents) {
      for (const { name, description } of document.tags) require(`tag ${name}`, description);
    }
    for (const operation of operations) {
      const { operationId, parameters = [] } = operation;
      require(operationId, operation.description);
      for (const { name, description } of parameters) {
        require(`parameter ${operationId}.${name}`, description);
      }
    }
    for (const [path, text] of propertyPaths()) require(`property ${path}`, text);
    // Texts are in src/board/contract/openapi/texts.
    expect([...new Set(missing)]).toEqual([]);
  });

  it('have no text of something that is gone', () => {
    const names = new Set(
      operations.flatMap(({ parameters = [] }) => parameters.map(({ name }) => name)),
    );
    const stale = (texts: Readonly<Record<string, string>>, known: ReadonlySet<string>): string[] =>
      Object.keys(texts).filter((key) => !known.has(key.split('.').at(-1) ?? ''));
    expect(stale(parameterTexts, names)).toEqual([]);
    const properties = new Set(JSON.stringify(documents).match(/(?<=")\w+(?=":)/g));
    expect(stale(propertyTexts, properties)).toEqual([]);
    const places = new Set(propertyPaths().map(([path]) => path));
    const qualified = Object.keys(propertyTexts).filter((key) => key.includes('.'));
    expect(qualified.filter((key) => !places.has(key))).toEqual([]);
    expect(Object.keys(errorTexts).toSorted()).toEqual(errorKeys.toSorted());
  });

  it.each(engines)('of %s is the one in docs/openapi', (engine) => {
    const file = new URL(`../../../docs/openapi/${engine}.json`, import.meta.url);
    // `node tools/openapi.ts` writes them again.
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(openApiDocument({ engine }))),
    );
  });

  it('describe the filters of the compiled rules', () => {
    expect(pgqFilters).toEqual(JSON.parse(JSON.stringify(filtersOfRules())));
    const { paths, components } = openApiDocument({ engine: 'pgq' });
    const { schema } = paths['/api/pgq/search']?.['get']?.parameters?.at(-1) ?? {};
    expect(schema).toMatchObject({
      properties: { priority: { $ref: '#/components/schemas/PgqNumberFilter' } },
      patternProperties: { '^(data|output)\\.': { $ref: '#/components/schemas/PgqPathFilter' } },
    });
    expect(components.schemas['PgqNumberFilter']).toMatchObject({
      anyOf: [
        { type: 'integer' },
        { properties: { gte: { type: 'integer' }, in: { type: 'string' } } },
      ],
    });
    expect(openApiDocument({ engine: 'kvq' }).components.schemas).not.toHaveProperty(
      'PgqNumberFilter',
    );
  });

  it('tell how requests are authenticated, where that is known', async () => {
    const serve = (options: AuthOptions | undefined) => {
      const auth = options && createAuthMiddleware(options, { name: 'jobs' });
      const board = createBoard({ serverAdapter: new ExpressAdapter(), auth: auth ?? false });
      return openApiDocument(board);
    };
    const none = serve(undefined);
    expect(none.security).toBeUndefined();
    expect(Object.keys(none.paths)).not.toContain('/auth/me');
    const token = serve({
      strategy: 'token',
      tokens: ['a token of the tests of documents'],
      header: 'X-Board-Token',
      cookie: { secret: 'the cookie secret of the tests of documents' },
    });
    expect(token.security).toEqual([{ bearer: [] }, { header: [] }, { session: [] }]);
    expect(token.components.securitySchemes).toMatchObject({
      header: { type: 'apiKey', in: 'header', name: 'x-board-token' },
      session: { in: 'cookie', name: 'board_session_jobs' },
    });
    expect(Object.keys(token.paths['/auth/login'] ?? {})).toEqual(['get', 'post']);
    expect(token.paths['/auth/me']?.['get']?.tags).toEqual(['auth']);
    expect(token.paths['/auth/callback']).toBeUndefined();
    expect(token.paths['/api/queues']?.['get']?.responses).toHaveProperty('401');
    expect(JSON.stringify(token)).not.toContain('of the tests of documents');
    const oidc = serve({ strategy: 'oidc', url: 'https://id.test', realm: 'a b', clientId: 'c' });
    expect(oidc.components.securitySchemes?.['oidc']).toEqual({
      type: 'openIdConnect',
      openIdConnectUrl: 'https://id.test/realms/a%20b/.well-known/openid-configuration',
    });
    expect(Object.keys(oidc.paths)).toContain('/auth/callback');
    for (const document of [token, oidc]) {
      const plain: object = JSON.parse(JSON.stringify(document));
      expect((await new Validator().validate({ ...plain })).errors).toBeUndefined();
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
      description: parameterTexts['limit'],
      schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    });
    expect(jobs?.parameters?.at(-1)).toMatchObject({ name: 'filter', style: 'deepObject' });
    expect(jobs?.parameters?.[0]).toEqual({
      name: 'queueName',
      in: 'path',
      description: parameterTexts['queueName'],
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
      'createJobScheduler',
      'previewJobScheduler',
      'setGlobalConcurrency',
      'startBulk',
      'updateJobData',
      'updateJobScheduler',
    ]);
  });
});
