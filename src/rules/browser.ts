/**
 * Stands for modules of the core in the build for browsers: for those that need a database or Node.js, and for checks that
 * a server with the same rules has made at its boot. Size counts there. `tools/package/browser.ts` names the modules.
 */

import { configurationError, fieldKindRow, kindRow } from '../schema/index.ts';
import type { CompiledQueryRules } from './declare/compiled.ts';
import type { CompiledScopes, ModelScopes } from './declare/scopes.ts';
import type { KeysetPosition, OrderTerm, PlanValue } from './plan/plan.ts';
import type { PageRows, PreparedRead } from './read/source.ts';
import { cursorInvalid, syntaxError } from './request/request-error.ts';

/** @throws {QueryError} SOURCE_CONFIGURATION_INVALID always: bodies, groups, plans of hosts and documents are work of servers */
export const bodyRequest = (): never => {
  throw configurationError('This runs on servers; request it there.');
};
export const transformedPlan = bodyRequest;
export const openApiParameters = bodyRequest;
export const openApiOperation = bodyRequest;
export const explainCost = bodyRequest;
export const levelOf = bodyRequest;
export const readWhere = bodyRequest;
export const checkedAt = bodyRequest;
export const withFixedTimes = bodyRequest;
export const groupedConditions = bodyRequest;
export const runOne = async (): Promise<never> => bodyRequest();

/** @throws {QueryError} QUERY_SYNTAX_INVALID always: browsers have no query parsers. */
export function parseObject(): never {
  throw syntaxError('In browsers, a request is a string or a URLSearchParams.');
}

// Quantifiers and children are resolved on servers, and the budget is counted there.
export const compileQuantifiers = (): ReadonlyMap<string, never> => new Map<string, never>();
export const compileChildren = compileQuantifiers;
export const authoriseChildren = (): readonly never[] => [];
export const withChildren = <Shown>(projection: Shown): Shown => projection;
export const usualBudget = 0;
export function checkCost(): void {}

// Options and names have been checked.
export const defineQueryRulesTable = {};
export const itemOptionTable = {};
export const queryOptionTable = {};
export const runOptionTable = {};
export const schemaTable = {};
export const jsonPathsRow = {};
export const fieldOverrideTable = {};
export function assertSchemaForm(): void {}
export function checkConfiguration(): void {}
export function nearestName(): void {}
export const knownNames = (_misspelt: string, names: Iterable<string>): string =>
  [...names].join(', ');
export const unresolved = (_: unknown, model: string, _path: string, wanted: string): string =>
  `${model} has no such ${wanted}; name a declared path.`;
export const operatorsOf = (): string => '';
export const kindOverride = operatorsOf;
export const waysOut = (): string => 'declare it on the server';
export const wayToFold = waysOut;
export const notOfArrays = waysOut;
export const notFiltered = waysOut;
export const checkExpression = checkConfiguration;
export const expressionOf = operatorsOf;
export const partsOf = (): readonly string[] => [];

// Rows with unusual instants are presented on servers.
export const isoFromEpoch = (milliseconds: number): string => new Date(milliseconds).toISOString();
export const isRequestableEpoch = (): boolean => true;
export const extendedEpoch = (): null => null;
export const extendedDate = (text: string): string => text;
export const extendedInstant = extendedDate;

/** Marks rules with scopes, so that no plan is made without them. */
export const compileScopes = (_: unknown, scopes?: ModelScopes): CompiledScopes | null =>
  scopes ? { byModel: new Map(), reached: [], conditions: [] } : null;

/** @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the rules have scopes: they are resolved on servers only */
export function planScopes({ scopes }: CompiledQueryRules, values: unknown): undefined {
  if (scopes || values !== undefined) {
    throw configurationError('Scopes are resolved on servers; plan and run the request there.', {
      setting: 'scopes',
    });
  }
}
export const extendedScopes = <Scopes>(_: unknown, scopes: Scopes): Scopes => scopes;

// Cursors have no keys, and contain complete values of fields.
export const storedValue = extendedEpoch;
export const readableValue = (_term: OrderTerm, value: PlanValue): string => String(value);
export const cursorValues = (_: unknown, _order: unknown, values: readonly (string | null)[]) =>
  values;
export const positionValues = (_: unknown, _order: unknown, { values }: KeysetPosition) =>
  values.map((value) => (value === null ? null : String(value)));
export function beginningOf(): void {}
export const textDigest = extendedDate;

/** @throws {QueryError} CURSOR_INVALID when no row has the value */
export function checkedValue(
  _rules: CompiledQueryRules,
  { target: { field, hops } }: OrderTerm,
  value: unknown,
): PlanValue | null {
  const companion = field?.portableOrderField;
  if (value === null && (field?.nullable || hops.length > 0 || companion)) return null;
  const row = field && !companion ? fieldKindRow(field) : kindRow('string');
  const found = row.coerce(String(value));
  const members = companion ? undefined : field?.enumValues;
  if (typeof value !== 'string' || found === undefined || members?.includes(value) === false) {
    throw cursorInvalid();
  }
  return found;
}

/** @throws {QueryError} SOURCE_CONFIGURATION_INVALID always. */
export function sealedCursors(): never {
  throw configurationError('"settings.cursorKeys" needs Node.js; drop it in browsers.', {
    option: 'settings.cursorKeys',
  });
}

// Sources have no database: reads are neither observed nor compared with the rules, and few requests are planned.
export { planOf as keptPlan } from './plan/plan-query.ts';
export function memoOf(): void {}
export function checkSource(): void {}
export const checkServed = checkSource;
export const observed = <Options, Answer>(
  _operation: string,
  _source: unknown,
  options: Options,
  read: (options: Options) => Promise<Answer>,
): Promise<Answer> => read(options);

/** Reads the rows and then the count. */
export async function countedRows<R>(
  _: unknown,
  read: PreparedRead<R>,
): Promise<{ readonly page: PageRows<R>; readonly total: number }> {
  const page = await read.rows();
  return { page, total: await read.count() };
}
