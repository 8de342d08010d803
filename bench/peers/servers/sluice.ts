/** Sluice on the driver, through Express, as the other REST servers. */

import express from 'express';
import pg from 'pg';
import { introspect, sqlSource } from '../../../src/adapters/sql/index.ts';
import { listEndpoint, queryErrorHandler } from '../../../src/http/express/index.ts';
import { defineQueryRules } from '../../../src/index.ts';
import { databaseUrl, serve } from './serve.ts';

const connection = new pg.Pool({ connectionString: databaseUrl, max: 4 });
const registry = await introspect(connection);
const shown = ['id', 'name', 'email', 'age', 'active', 'createdAt', 'companyId'];
const rules = defineQueryRules(registry, 'users', {
  filters: [
    { path: 'companyId', operators: ['eq'] },
    { path: 'age', operators: ['eq', 'gte', 'lte'] },
    { path: 'active', operators: ['eq'] },
  ],
  sorts: ['id', 'createdAt'],
  fields: { root: { allowed: shown, default: shown } },
});
const source = sqlSource({ connection, registry, tables: registry.tables, model: 'users' });
await serve(express().get('/users', listEndpoint({ source, rules })).use(queryErrorHandler()));
