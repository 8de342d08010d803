/** Descriptions of the properties of runs over many jobs and of their filters. */

export const runTexts: Readonly<Record<string, string>> = {
  'BulkRun.action': 'The command.',
  'BulkRun.changed': 'Jobs that were changed.',
  'BulkRun.dryRun': 'Whether jobs are only counted.',
  'BulkRun.endedAt': 'When it ended, in milliseconds since 1970; null while it runs.',
  'BulkRun.examined': 'Jobs that were compared with the filter or the ids so far.',
  'BulkRun.id': 'Id of the run.',
  'BulkRun.matched': 'Jobs that the filter or the ids found.',
  'BulkRun.problem': 'Why the run failed.',
  'BulkRun.queueName': 'The queue of the jobs.',
  'BulkRun.refused': 'Jobs that were found and not changed, by reason.',
  'BulkRun.refused.count': 'Number of jobs.',
  'BulkRun.refused.reason': 'Why they were not changed.',
  'BulkRun.startedAt': 'When it began, in milliseconds since 1970.',
  'BulkRun.state': 'Whether it runs, or how it ended.',
  'BulkRun.total': 'Jobs that may have to be examined; null if not known.',
  'StartBulkBody.action': 'The command.',
  'StartBulkBody.all':
    'Must be true for a command without a condition: it is meant for every job. Conditions of a `filter` count all the same.',
  'StartBulkBody.dryRun': 'Whether jobs are only counted.',
  'StartBulkBody.expectedState':
    'The state in which the client saw the jobs: one for all ids, or a list with one for each. A job in another state is refused as `JOB_CHANGED`.',
  'StartBulkBody.filter':
    'Parameters of the search of jobs by name, such as `{ "status": "failed", "name": "mail" }`. A blank value is refused.',
  'StartBulkBody.ids': 'Ids of the jobs.',
  'StartBulkBody.ifUnchanged':
    'The `version` that the client read of each job, in the order of `ids`; null for a job whose version does not count. A job that differs is refused as `JOB_CHANGED`.',
  'StartBulkBody.queueName': 'The queue of the jobs.',
  'getPgqFilters.filters':
    'The rules of filters as JSON: paths with kinds, operators and members, sorts and limits.',
  'cancelBulk.run': 'The run.',
  'getBulk.run': 'The run.',
  'startBulk.run': 'The run.',
  'listBulk.runs': 'Runs of visible queues, newest first.',
};
