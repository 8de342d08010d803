/** nestjs-query in a Nest application, with GraphQL by Apollo. */

import { User, dataSourceOptions } from './entities.mjs';
import { ApolloDriver } from '@nestjs/apollo';
import { Module, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GraphQLISODateTime, GraphQLModule, Int, ObjectType } from '@nestjs/graphql';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  FilterableField,
  NestjsQueryGraphQLModule,
  PagingStrategies,
  QueryOptions,
} from '@ptc-org/nestjs-query-graphql';
import { NestjsQueryTypeOrmModule } from '@ptc-org/nestjs-query-typeorm';
import { tell } from './serve.ts';

class UserDTO {}
const fields = {
  id: Int,
  name: String,
  email: String,
  age: Int,
  active: Boolean,
  createdAt: GraphQLISODateTime,
  companyId: Int,
};
for (const [name, type] of Object.entries(fields)) {
  FilterableField(() => type)(UserDTO.prototype, name);
}
ObjectType('User')(UserDTO);
QueryOptions({
  pagingStrategy: PagingStrategies.OFFSET,
  enableTotalCount: true,
  defaultResultSize: 10,
  maxResultsSize: 100,
})(UserDTO);

class App {}
Module({
  imports: [
    TypeOrmModule.forRoot(dataSourceOptions),
    GraphQLModule.forRoot({ driver: ApolloDriver, autoSchemaFile: true, introspection: true }),
    NestjsQueryGraphQLModule.forFeature({
      imports: [NestjsQueryTypeOrmModule.forFeature([User])],
      resolvers: [
        {
          DTOClass: UserDTO,
          EntityClass: User,
          create: { disabled: true },
          update: { disabled: true },
          delete: { disabled: true },
        },
      ],
    }),
  ],
})(App);

const app = await NestFactory.create(App, { logger: false, abortOnError: false });
// It checks the limits of `QueryOptions`.
app.useGlobalPipes(new ValidationPipe());
await app.listen(0, '127.0.0.1');
tell(app.getHttpServer());
