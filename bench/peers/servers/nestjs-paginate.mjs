/** nestjs-paginate in a Nest application, with its strict filters. */

import { User, dataSourceOptions } from './entities.mjs';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FilterOperator, Paginate, PaginationType, paginate } from 'nestjs-paginate';
import { DataSource } from 'typeorm';
import { tell } from './serve.ts';

const dataSource = await new DataSource(dataSourceOptions).initialize();
const users = dataSource.getRepository(User);
const config = {
  paginationType: PaginationType.LIMIT_AND_OFFSET,
  optimizedCount: true,
  throwOnInvalidFilter: true,
  maxLimit: 100,
  select: ['id', 'name', 'email', 'age', 'active', 'createdAt', 'companyId'],
  sortableColumns: ['id', 'createdAt'],
  defaultSortBy: [['id', 'ASC']],
  filterableColumns: {
    companyId: [FilterOperator.EQ],
    age: [FilterOperator.EQ, FilterOperator.GTE, FilterOperator.LTE],
    active: [FilterOperator.EQ],
  },
};

class Users {
  list(query) {
    return paginate(query, users, config);
  }
}
Controller('users')(Users);
Get()(Users.prototype, 'list', Object.getOwnPropertyDescriptor(Users.prototype, 'list'));
Paginate()(Users.prototype, 'list', 0);
class App {}
Module({ controllers: [Users] })(App);

const app = await NestFactory.create(App, { logger: false });
await app.listen(0, '127.0.0.1');
tell(app.getHttpServer());
