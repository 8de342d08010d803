/** `fromNestjsPaginate`: endpoints of nestjs-paginate as rules, with its requests and its answers. */

import * as option from '../../lib/option-rows.ts';
import { type SchemaRegistry, checkConfiguration, databaseFamilies } from '../../schema/index.ts';
import {
  type CompiledQueryRules,
  type ListResult,
  type QuerySettings,
  defineQueryRules,
  defineQueryRulesTable,
} from '../../rules/index.ts';
import { type NestjsPaginated, answerTo } from './answer.ts';
import { columnsOf } from './columns.ts';
import type { NestjsPaginateConfig } from './config.ts';
import { declare } from './declaration.ts';
import { readRequest, writeRequest } from './request.ts';

/** An endpoint that was declared for nestjs-paginate. */
export interface NestjsPaginateEndpoint {
  /** Rules for `runQuery`. */
  readonly rules: CompiledQueryRules;
  /** Parts of the configuration that are left out or mean something else, a sentence each. */
  readonly differences: readonly string[];
  /**
   * The query string of a request as Sluice reads it. Sorts and filters that the configuration does not name are left
   * out, as nestjs-paginate does it.
   *
   * @param url the URL of the request, such as `/cats?limit=5`
   * @throws {QueryError} with `status` 400: for a filter that the configuration does not name under
   * `throwOnInvalidFilter`, and for a filter or sort that it names and the schema cannot do.
   */
  translate(url: string): string;
  /**
   * The answer with `data`, `meta` and `links`.
   *
   * @param result the result of `runQuery` for the translated request
   * @param url the URL of the request with its origin, which the links begin with
   */
  answer<R>(result: ListResult<R>, url: string): NestjsPaginated<R>;
}

const { registry: registryRow, model: modelRow } = defineQueryRulesTable;

/** The arguments, of which those of `defineQueryRules` have another order. */
const argumentTable = {
  config: option.required(option.plainObject),
  registry: registryRow,
  model: modelRow,
};

/**
 * Takes over an endpoint of nestjs-paginate, so that its clients need no change.
 *
 * @param config the configuration that was passed to `paginate`
 * @param registry the models, as of `typeormRegistry`
 * @param model the model that the endpoint lists
 * @param settings settings of the endpoint, such as `scopes` and `cursorKeys`; they take precedence over `maxLimit` and
 * `defaultLimit`
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the configuration has a member that nobody knows, or one such as
 * `where` without which the list has other rows.
 */
export function fromNestjsPaginate(
  config: NestjsPaginateConfig,
  registry: SchemaRegistry,
  model: string,
  settings: QuerySettings = {},
): NestjsPaginateEndpoint {
  checkConfiguration('fromNestjsPaginate', { config, registry, model }, argumentTable);
  const find = columnsOf(registry, model);
  const own = settings.portable ? undefined : (settings.families ?? registry.families);
  const declared = declare(registry, model, config, own ?? databaseFamilies);
  const rules = defineQueryRules(registry, model, declared.declaration, {
    ...declared.settings,
    ...settings,
  });
  const read = (url: string) => readRequest(/\?(.*)$/s.exec(url)?.[1] ?? '', config);
  return {
    rules,
    differences: declared.differences,
    translate: (url) => writeRequest(read(url), config, rules, find),
    answer: (result, url) => answerTo(result, read(url), config, url),
  };
}
