/** ZenStack with its REST handler for Express. Argument: folder of the schema that its command line has generated. */

import path from 'node:path';
import { ZenStackClient } from '@zenstackhq/orm';
import { PostgresDialect } from '@zenstackhq/orm/dialects/postgres';
import { RestApiHandler } from '@zenstackhq/server/api';
import { ZenStackMiddleware } from '@zenstackhq/server/express';
import express from 'express';
import pg from 'pg';
import { databaseUrl, serve } from './serve.ts';

const { schema } = await import(path.join(process.argv[2], 'schema.ts'));
const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
const client = new ZenStackClient(schema, { dialect: new PostgresDialect({ pool }) });
const apiHandler = new RestApiHandler({ schema, endpoint: 'http://127.0.0.1/api', pageSize: 100 });
await serve(express().use('/api', ZenStackMiddleware({ apiHandler, getClient: () => client })));
