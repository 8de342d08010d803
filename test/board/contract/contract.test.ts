/** The route table and the schemas match the agreed contract, in both directions. */

import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  errorKeys,
  resources,
  routeTable,
  translationKey,
} from '../../../src/board/contract/index.ts';
import type { Route } from '../../../src/board/contract/index.ts';
import { describeRoutes, filterSchemas } from '../../../src/board/contract/openapi/document.ts';
import contract from './contract.json' with { type: 'json' };

interface Field {
  readonly type: string;
  readonly required: boolean;
}

interface Described {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Described[];
  readonly items?: Described;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly required?: readonly string[];
}

/** Schemas that only the board names: the contract does not name them, or gives their fields as `object`. */
const ownNames = new Set([
  'QueuePause',
  'QueueWorkers',
  'AttentionItem',
  'AttentionKind',
  'ErrorGroup',
  'FailedAttempt',
  'BulkAction',
  'BulkRun',
  'StartBulkBody',
  'CreateJobSchedulerBody',
  'PreviewJobSchedulerBody',
  'QueueActivity',
  'HoldReason',
  'JobCourse',
  'JobEvent',
  'JobHold',
  'JobHolds',
  'JobMoment',
  'JobSummary',
  'JobSummaryField',
  'BoardAction',
  'AuthenticatedUser',
  'EmptyResponse',
  'JobConditionsBody',
  'JobCounts',
  'PgqIndexAdvice',
  'PgqInstance',
  'PgqSkippedJob',
  'PgqJobConditionsBody',
  'PgqScheduleOptions',
  'RemovePgqJobBody',
  'RemovePgqJobsBody',
  'SendPgqJobOptions',
  'SetRateLimitBody',
]);

/** Fields that the board adds. */
const ownFields = new Set([
  'AppJob.state',
  'AppQueue.allowed',
  'PgqQueueSummary.allowed',
  'AppQueue.pause',
  'AppQueue.problem',
  'AppJob.truncated',
  'AppJob.isOrphaned',
  'AppJob.runsAt',
  'AppJob.traceUrl',
  'PgqJob.traceUrl',
  'PgqInfo.indexAdvice',
  'PgqJobSummary.brief',
  'PgqJobSummary.columns',
  ...['UpdateJobDataBody', 'ChangeJobDelayBody', 'ChangeJobPriorityBody'].flatMap((name) => [
    `${name}.expectedState`,
    `${name}.ifUnchanged`,
  ]),
  'AppJob.raw',
  'AppJobScheduler.raw',
  'PgqJob.raw',
  'PgqSchedule.raw',
  'AppJob.problem',
  'AppJobScheduler.problem',
  'AppJobScheduler.nextRuns',
  'AppJobScheduler.version',
  'UpdateJobSchedulerBody.data',
  'UpdateJobSchedulerBody.ifUnchanged',
  'FlowNode.problem',
  ...['timestamp', 'processedOn', 'finishedOn'].map((name) => `FlowNode.${name}`),
  'PgqCommandResponse.refused',
  'PgqCommandResponse.skipped',
  'PgqJob.problem',
  'PgqQueueCounts.blocked',
  ...['readyOldestSeconds', 'waitSeconds', 'runSeconds'].map((name) => `PgqQueueSummary.${name}`),
  'PgqSchedule.pattern',
  'PreviewPgqScheduleBody.pattern',
  'UpsertPgqScheduleBody.pattern',
  'PgqSchedule.problem',
  'PgqSchedule.version',
  'UpsertPgqScheduleBody.ifAbsent',
  'UpsertPgqScheduleBody.ifUnchanged',
]);

/** Error keys that the board adds. */
const ownKeys = new Set([
  'ERRORS.BULK_ACTION_NOT_SUPPORTED',
  'ERRORS.BULK_LIMIT',
  'ERRORS.BULK_NOT_FOUND',
  'ERRORS.BULK_NOT_UNDOABLE',
  'ERRORS.BULK_RUNNING',
  'ERRORS.SCHEDULE_LIMIT',
  'ERRORS.ACTION_NOT_ALLOWED',
  'ERRORS.JOB_AWAITED_AGAIN',
  'ERRORS.JOB_CHANGED',
  'ERRORS.JOB_STARTED_SINCE',
  'ERRORS.JOB_NOT_ACTIVE',
  'ERRORS.JOB_PARENT_PROTECTED',
  'ERRORS.JOB_SCHEDULER_EXISTS',
  'ERRORS.IDEMPOTENCY_KEY_REUSED',
  'ERRORS.KV_FORBIDDEN',
  'ERRORS.SQL_FORBIDDEN',
  'ERRORS.SQL_UNAVAILABLE',
  'ERRORS.METHOD_NOT_ALLOWED',
  'ERRORS.OUTCOME_UNKNOWN',
  'ERRORS.PGQ_JOB_HAS_DEPENDENTS',
  'ERRORS.PGQ_POLICY_CONFLICT',
  'ERRORS.READ_LIMIT',
  'ERRORS.ROUTE_NOT_FOUND',
  'ERRORS.FORMATTER_FAILED',
  'ERRORS.SEARCH_FIELD_CLOSED',
]);

/** Routes that the board adds. */
const ownRoutes = new Set([
  'getPgqFilters',
  'getJobCourse',
  'getJobHolds',
  'getPgqJobHolds',
  'listAttention',
  'listDeployments',
  'listMetricsErrors',
  'listMetricsAttempts',
  'startBulk',
  'listBulk',
  'getBulk',
  'cancelBulk',
  'undoBulk',
  'listActivity',
  'listRunning',
  'getTimeline',
  'listErrors',
  'getQueue',
  'listWorkers',
  'listJobs',
  'listJobSchedulerRuns',
  'previewJobScheduler',
  'createJobScheduler',
  'getPermissions',
  'searchQueueJobs',
  'searchJobs',
  'releaseJob',
  'listAllPgqJobs',
  'searchPgqJobs',
  'listPgqInstances',
  'scrapeMetrics',
  'watchQueues',
  'watchPgqQueues',
]);

const components = describeRoutes(routeTable).components.schemas as Readonly<
  Record<string, Described>
>;

/** The names of a type as written in the contract, in any order. */
function alternatives(schema: Described): string[] {
  if (schema.$ref) return [schema.$ref.split('/').at(-1) ?? ''];
  if (schema.anyOf) return schema.anyOf.flatMap(alternatives);
  if (schema.const !== undefined) return [String(schema.const)];
  if (schema.enum) return [...schema.enum];
  if (schema.type === 'array') return alternatives(schema.items ?? {}).map((name) => `${name}[]`);
  if (schema.type === undefined) return ['any'];
  return [schema.type].flat();
}

/** Whether a schema matches the contract's description of a field. */
function says(schema: Described, type: string): boolean {
  const wanted = type.replace(/ \(.*\)| \{.*\}/g, '').split(' or ');
  const found = alternatives(schema);
  const spelledOut = found.flatMap((name) => {
    const component = components[name];
    return component && !wanted.includes(name) ? alternatives(component) : name;
  });
  return JSON.stringify(wanted.toSorted()) === JSON.stringify(spelledOut.toSorted());
}

function compareFields(name: string, fields: Readonly<Record<string, Field>>): string[] {
  const component = components[name];
  if (!component) return [`${name} is not declared`];
  const declared = Object.keys(component.properties ?? {});
  const added = declared
    .filter((field) => !Object.hasOwn(fields, field) && !ownFields.has(`${name}.${field}`))
    .map((field) => `${name}.${field} is not in the contract`);
  const wrong = Object.entries(fields).flatMap(([field, { type, required }]) => {
    const schema = component.properties?.[field];
    if (!schema) return [`${name}.${field} is not declared`];
    const problems = [];
    if (!says(schema, type)) problems.push(`${name}.${field}: ${alternatives(schema)} for ${type}`);
    if ((component.required?.includes(field) ?? false) !== required) {
      problems.push(`${name}.${field}: required is ${!required}`);
    }
    return problems;
  });
  return [...added, ...wrong];
}

describe('the contract', () => {
  it('has the same routes', () => {
    const declared = Object.entries<Route>(routeTable)
      .filter(([operation]) => !ownRoutes.has(operation))
      .map(([, { owner, method, path, success }]) => `${owner} ${method} ${path} ${success}`);
    const agreed = contract.routes.map(
      ({ engine, method, path, success }) => `${engine} ${method} ${path} ${success}`,
    );
    expect(declared.toSorted()).toEqual(agreed.toSorted());
    expect(declared).toHaveLength(69);
  });

  it('has the same error keys', () => {
    const keys = errorKeys.map(translationKey).filter((key) => !ownKeys.has(key));
    expect(keys.toSorted()).toEqual(contract.errorKeys.toSorted());
    expect(errorKeys).toHaveLength(59 + ownKeys.size);
  });

  it.each(Object.entries(contract.enums))('has the same values of %s', (name, values) => {
    const declared = Object.entries(resources).find(([resource]) => resource === name)?.[1];
    if (!(declared instanceof z.ZodEnum)) throw new Error(`${name} is not declared`);
    expect(declared.options.toSorted()).toEqual(values.toSorted());
  });

  it.each(Object.entries(contract.resources))('has the same fields of %s', (name, fields) => {
    expect(compareFields(name, fields)).toEqual([]);
  });

  it.each(Object.entries(contract.requestBodies))('has the same body %s', (name, fields) => {
    expect(compareFields(name, fields)).toEqual([]);
  });

  it('contains no names outside the contract', () => {
    const agreed = new Set([
      ...Object.keys(contract.resources),
      ...Object.keys(contract.requestBodies),
      ...Object.keys(contract.enums),
      ...ownNames,
    ]);
    expect(Object.keys(resources).filter((name) => !agreed.has(name))).toEqual([]);
    for (const name of Object.keys(filterSchemas)) agreed.add(name);
    expect(Object.keys(components).filter((name) => !agreed.has(name))).toEqual([]);
    expect([...ownNames].filter((name) => !Object.hasOwn(resources, name))).toEqual([]);
  });

  it('has the version of the document', () => {
    const { openapi, info } = describeRoutes(routeTable);
    expect(openapi).toBe(contract.openapi);
    expect(info.version).toBe(contract.infoVersion);
  });
});
