/** FeathersJS with its SQL adapter, and the validation of queries that its generator writes. */

import express, { errorHandler, json, rest, urlencoded } from '@feathersjs/express';
import { feathers } from '@feathersjs/feathers';
import { KnexService } from '@feathersjs/knex';
import { Ajv, getValidator, hooks, querySyntax, resolve } from '@feathersjs/schema';
import knex from 'knex';
import { databaseUrl, serve } from './serve.ts';

const properties = {
  id: { type: 'integer' },
  name: { type: 'string' },
  email: { type: 'string' },
  age: { type: 'integer' },
  active: { type: 'boolean' },
  company_id: { type: 'integer' },
};
const querySchema = {
  $id: 'UserQuery',
  type: 'object',
  additionalProperties: false,
  properties: { ...querySyntax(properties) },
};
const validator = getValidator(querySchema, new Ajv({ coerceTypes: true }));
const hide = async () => undefined;
const Model = knex({ client: 'pg', connection: databaseUrl, pool: { min: 0, max: 4 } });

const app = express(feathers());
app
  .use(json())
  .use(urlencoded({ extended: true }))
  .configure(rest());
app.use('users', new KnexService({ Model, name: 'users', paginate: { default: 10, max: 100 } }));
app.service('users').hooks({
  around: {
    all: [hooks.resolveExternal(resolve({ name_folded: hide, email_folded: hide }))],
  },
  before: { all: [hooks.validateQuery(validator)] },
});
app.use(errorHandler({ logger: false }));
await serve(app);
