/** The request by hand: Express, prepared statements, nothing checked. The reference of the ratios. */

import express from 'express';
import pg from 'pg';
import { databaseUrl, serve } from './serve.ts';

const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
const columns = 'id, name, email, age, active, created_at "createdAt", company_id "companyId"';
const text = `select ${columns} from users where company_id = $1 order by id limit 20`;
const count = 'select count(*)::int total from users where company_id = $1';
const app = express().get('/users', async ({ query }, response) => {
  const values = [Number(query.companyId)];
  const [rows, counted] = await Promise.all([
    pool.query({ name: 'rows', text, values }),
    pool.query({ name: 'total', text: count, values }),
  ]);
  response.json({ data: rows.rows, total: counted.rows[0].total });
});
await serve(app);
