/** The metadata of `@nestjs/swagger`, in the oldest and the newest version that is known. */

import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type * as swagger from '@nestjs/swagger';
import { describe, expect, it } from 'vitest';
import { ListQuery } from '../../src/http/nestjs/index.ts';
import { defineQueryRules, defineQuerySchema, defineSchemaRegistry } from '../../src/index.ts';
import { installed } from './versions.ts';

const user = defineQuerySchema({
  model: 'user',
  primaryKey: ['id'],
  fields: [{ path: 'id', kind: 'integer', nullable: false, primaryKey: true }],
  relations: [],
});
const rules = defineQueryRules(defineSchemaRegistry([user]), 'user', { fields: 'all' });

describe.each(installed('@nestjs/swagger-11.0', '@nestjs/swagger'))(
  '@nestjs/swagger $version',
  ({ module }) => {
    const { ApiQuery, DocumentBuilder, SwaggerModule } = module<typeof swagger>();

    it('describes a list endpoint by its rules, beside its own decorators', async () => {
      class Users {
        list(): void {}
      }
      class Application {
        readonly name = 'users';
      }
      const method = Object.getOwnPropertyDescriptor(Users.prototype, 'list') ?? {};
      Controller('users')(Users);
      Get()(Users.prototype, 'list', method);
      ApiQuery({ name: 'own', required: false })(Users.prototype, 'list', method);
      ListQuery(rules)(Users.prototype, 'list', 0);
      Module({ controllers: [Users] })(Application);
      const application = await NestFactory.create(Application, { logger: false });
      const config = new DocumentBuilder().build();
      const { paths } = SwaggerModule.createDocument(application, config);
      const { parameters = [], responses = {} } = paths['/users']?.get ?? {};
      const names = parameters.map((each) => ('name' in each ? each.name : ''));
      expect(names).toEqual(expect.arrayContaining(['own', 'perPage']));
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '400']));
      await application.close();
    });
  },
);
