/** Requests made from the OpenAPI document, sent to live boards of both engines: no 5xx, no answer off its schema. */

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../../src/board/contract/index.ts';
import { pathStep } from '../../../src/dashboard/api/path-name.ts';
import { repeatable, seed, shareOf } from '../../seed.ts';
import { cells } from '../kvq/cells.ts';
import { serveBoard } from '../kvq/http-board.ts';
import { newestLibrary } from '../pgq/libraries.ts';
import { makeWorld } from '../pgq/world.ts';

interface Schema {
  readonly [keyword: string]: unknown;
}

/** A board, and names that exist on it. */
interface Target {
  readonly url: string;
  readonly known: Readonly<Record<string, readonly string[]>>;
  readonly errors: () => readonly unknown[];
  close(): Promise<void>;
}

/** Values of a schema, and sometimes others. */
function valuesOf(schema: Schema, document: OpenApiDocument, depth = 0): fc.Arbitrary<unknown> {
  const odd: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    'x',
    true,
    [],
    {},
    '\u0000',
    1e21,
  );
  const own = (): fc.Arbitrary<unknown> => {
    const { $ref, anyOf, oneOf, allOf, type } = schema;
    const of = (part: unknown): fc.Arbitrary<unknown> =>
      valuesOf((part ?? {}) as Schema, document, depth + 1);
    if (typeof $ref === 'string')
      return of(document.components.schemas[$ref.split('/').at(-1) ?? '']);
    if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
    if ('const' in schema) return fc.constant(schema['const']);
    for (const parts of [anyOf, oneOf, allOf]) {
      if (Array.isArray(parts) && parts.length > 0) return fc.oneof(...parts.map(of));
    }
    const [name] = [type].flat();
    if (name === 'integer' || name === 'number') {
      const min = Number(schema['minimum'] ?? -5);
      return fc.integer({
        min,
        max: Math.max(min, Math.min(Number(schema['maximum'] ?? 50), min + 100)),
      });
    }
    if (name === 'boolean') return fc.boolean();
    if (name === 'array') return fc.array(of(schema['items']), { maxLength: 3 });
    if (name === 'object' && depth < 4) {
      const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
      const required = (schema['required'] ?? []) as string[];
      const made = properties.map(([key, part]) => [key, of(part)] as const);
      return fc.record(Object.fromEntries(made), { requiredKeys: required });
    }
    if (schema['format'] === 'uuid') return fc.uuid();
    return fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('1', 'job', '2026-01-31', '* * * * *'),
    );
  };
  return depth > 6
    ? fc.constant({})
    : fc.oneof({ weight: 12, arbitrary: own() }, { weight: 1, arbitrary: odd });
}

interface Sent {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Requests of one operation. */
function requestsOf(
  document: OpenApiDocument,
  path: string,
  method: string,
  known: Target['known'],
): fc.Arbitrary<Sent> | undefined {
  const operation = document.paths[path]?.[method];
  if (!operation) return undefined;
  const { parameters = [], requestBody, operationId } = operation;
  const content = Object.values(requestBody?.content ?? {})[0] as { schema?: Schema } | undefined;
  const given = parameters.map(({ name, in: place, required, schema }) => {
    const listed = known[name];
    const value = listed
      ? fc.oneof(
          { weight: 5, arbitrary: fc.constantFrom(...listed) },
          { weight: 1, arbitrary: fc.string({ maxLength: 9 }) },
        )
      : valuesOf(schema, document);
    const isGiven = required || place === 'path' ? fc.constant(true) : fc.boolean();
    return fc.tuple(fc.constant({ name, place }), value, isGiven);
  });
  return fc
    .tuple(
      fc.tuple(...given),
      content?.schema ? valuesOf(content.schema, document) : fc.constant(undefined),
    )
    .map(([values, body]) => {
      let target = path;
      const query = new URLSearchParams();
      for (const [{ name, place }, value, isGiven] of values) {
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        if (place === 'path')
          target = target.replace(`{${name}}`, pathStep(text.toWellFormed() || 'x'));
        else if (isGiven) query.set(name, text);
      }
      const search = query.toString();
      return {
        operation: operationId,
        method,
        path: search ? `${target}?${search}` : target,
        body,
      };
    });
}

/** Checks answers against the responses of the document. */
function checker(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(JSON.parse(JSON.stringify({ ...document, $id: 'board' })));
  const pointer = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');
  return (path: string, method: string, status: number, body: unknown): unknown => {
    const responses = document.paths[path]?.[method]?.responses ?? {};
    const answer = responses[String(status)];
    if (!answer) return `status ${status} is not in the document`;
    const at = answer.$ref
      ? answer.$ref.slice(1)
      : `/paths/${pointer(path)}/${method}/responses/${status}`;
    const described = answer.$ref
      ? document.components.responses[answer.$ref.split('/').at(-1) ?? '']
      : answer;
    if (!described?.content)
      return body === undefined ? undefined : 'a body is not in the document';
    const validate = ajv.getSchema(
      `board#${encodeURI(at)}/content/${pointer('application/json')}/schema`,
    );
    if (!validate) return 'no schema';
    return validate(body) ? undefined : validate.errors;
  };
}

const left = new Set(['watchQueues', 'watchPgqQueues', 'scrapeMetrics']);

const targets: Readonly<Record<string, () => Promise<Target | undefined>>> = {
  async kvq() {
    const world = await cells[0]?.open();
    if (!world || 'missing' in world) return undefined;
    const queue = await world.queue('mail');
    const ids = [
      await queue.add('one', { a: 1 }),
      await queue.add('two', {}, { delay: 3_600_000 }),
    ];
    await queue.schedule('every', { every: 3_600_000 });
    const board = await serveBoard([queue.boardQueue()]);
    return {
      url: board.url,
      known: {
        queueName: ['mail'],
        jobId: ids,
        schedulerId: ['every'],
        activeQueue: ['mail'],
        queueStatus: ['failed', 'waiting'],
      },
      errors: () => board.errors,
      async close() {
        await board.close();
        await world.close();
      },
    };
  },
  async pgq() {
    const world = await makeWorld(newestLibrary, 'pgq_documents');
    await world.boss.createQueue('mail');
    const ids = [await world.boss.send('mail', { a: 1 }), await world.boss.send('mail', {})];
    await world.boss.schedule('mail', '* * * * *');
    const board = await world.board({ instance: world.boss });
    return {
      url: board.origin,
      known: { queueName: ['mail'], jobId: ids.map(String) },
      // Advice on indexes is logged as well.
      errors: () => board.log.filter((line) => line.startsWith('Board: ')),
      close: () => world.close(),
    };
  },
};

/** Requests that failed once. */
const found: Readonly<Record<string, readonly string[]>> = {
  kvq: ['/api/search?from=1e%2B21', '/api/search?to=-9e15'],
  pgq: [
    '/api/pgq/search?from=1e%2B21',
    '/api/pgq/search?to=8640000000000000',
    '/api/pgq/search?to=8640000000000001',
  ],
};

describe.each(Object.entries(targets))('a %s board', (engine, open) => {
  let target: Target | undefined;
  beforeAll(async () => {
    target = await open();
  });
  afterAll(() => target?.close());

  it('takes times that no date can hold', async (context) => {
    if (!target) return context.skip();
    for (const path of found[engine] ?? []) {
      const { status } = await fetch(`${target.url}${path}`);
      expect([path, status]).toEqual([path, 200]);
    }
  });

  it('answers requests that are made from its document as the document says', async (context) => {
    if (!target) return context.skip();
    const { url, known, errors } = target;
    const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as OpenApiDocument;
    const check = checker(document);
    await repeatable(async () => {
      for (const [path, methods] of Object.entries(document.paths)) {
        for (const [method, { operationId }] of Object.entries(methods)) {
          const requests = left.has(operationId)
            ? undefined
            : requestsOf(document, path, method, known);
          if (!requests) continue;
          for (const sent of fc.sample(requests, { seed, numRuns: shareOf(120) })) {
            const response = await fetch(`${url}${sent.path}`, {
              method: method.toUpperCase(),
              ...(sent.body !== undefined && {
                body: JSON.stringify(sent.body),
                headers: { 'content-type': 'application/json' },
              }),
            });
            const text = await response.text();
            const body: unknown = text === '' ? undefined : JSON.parse(text);
            // The first part of a failure says which request it was.
            expect([sent, response.status, response.status < 500]).toEqual([
              sent,
              response.status,
              true,
            ]);
            expect([sent, text, check(path, method, response.status, body)]).toEqual([
              sent,
              text,
              undefined,
            ]);
          }
        }
      }
    });
    expect(errors()).toEqual([]);
  });
});
