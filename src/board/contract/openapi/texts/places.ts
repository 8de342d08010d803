/** Descriptions of properties that mean something of their own where they are; by component or operation, and path. */

const iso = '; ISO 8601, UTC';

/** Texts of the parts of a schedule, alike in every body that has them. */
const ofBodies: Readonly<Record<string, string>> = {
  every: 'Interval in milliseconds; instead of `pattern`.',
  endDate: 'When the schedule ends, in milliseconds since 1970; absent or null for never.',
  limit: 'The most runs; absent or null for no limit.',
  pattern: 'Cron expression, as the library of the queue understands it; instead of `every`.',
  tz: 'Time zone of the pattern, such as `Europe/Berlin`; without it, that of the worker.',
};

const instead = (name: string): string =>
  `The same as \`${name}\`, which may then be absent: the name that both engines have.`;

const startDate =
  'When the schedule begins, in milliseconds since 1970; absent or null for at once.';

const columns =
  'The values of the columns that were asked for, in their order, as the first 200 characters of their JSON; null where there is none.';

/** Texts by the component or operation, and the path of the property in it. */
const places: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AddJobBody: { name: 'Name of the job.' },
  AppJob: {
    delay: 'Milliseconds after `timestamp` before which the job does not run.',
    groupId: 'Id of the group; only with BullMQ Pro.',
    id: 'Id of the job within its queue.',
    'raw.data': 'The data as JSON text.',
    'raw.opts': 'The options as JSON text.',
    'raw.progress': 'The progress as JSON text.',
    'raw.returnValue': 'The result as JSON text.',
  },
  AppJobScheduler: {
    iterationCount: 'Runs that have been added so far, the next one among them.',
    'raw.data': 'The data of the runs as JSON text.',
    'raw.opts': 'The options of the runs as JSON text.',
    template: 'Data and options of the runs.',
    'template.data': 'Data of each run, as JSON.',
    'template.opts': 'Options of each run, as the library stores them.',
    id: 'Id of the scheduler within its queue; of Bull, its name, id, end, time zone and schedule.',
    name: 'Name of the jobs.',
    nextRuns:
      'As many of the next runs as were asked for, in ISO 8601; absent where they cannot be computed.',
  },
  AppQueue: {
    jobs: 'A page of its jobs if it is the active queue of the request; otherwise empty.',
    name: 'Name of the queue on the board.',
    pause: 'Since when, by whom and why it is paused; absent without a pause through a board.',
    problem: 'Why the queue could not be read; its counts are then missing.',
  },
  AttentionItem: { since: 'Since when it lasts, in milliseconds since 1970.' },
  ErrorGroup: { hours: 'Failed attempts by hour.', 'hours.value': 'Failed attempts in the hour.' },
  FlowDependencies: { failed: 'Children that have failed.' },
  FlowNode: {
    id: 'Id of the job within its queue.',
    name: 'Name of the job.',
    truncated: 'Whether the job has more children than are listed.',
  },
  JobCourse: {
    since:
      'Since when the events were found, in milliseconds since 1970; null where the library keeps none.',
  },
  JobHold: {
    capped: 'Whether counting stopped at a limit, so that there may be more.',
    count: 'Jobs that run first, are active, or are waited for, as the reason says.',
    jobId: 'Id of the job that must end first.',
    limit: 'Jobs that may be active at a time.',
    until: 'When the reason ends by itself, in milliseconds since 1970.',
  },
  JobHolds: {
    deduplication:
      'Present where further jobs with the same key are not added: what they are deduplicated with.',
    'deduplication.jobId': 'Id of the job that they are deduplicated with.',
    'deduplication.key': 'The deduplication id, or the singleton key.',
    'deduplication.until':
      'Until when, in milliseconds since 1970; null for as long as the job waits or runs, or where that is not known.',
  },
  JobMoment: {
    at: 'When it happened by the clock of the datastore, in milliseconds since 1970.',
    jobId: 'Id that the job would have had which was not added.',
    until: 'When the delayed job may run, in milliseconds since 1970.',
  },
  JobSummary: {
    columns: columns,
    data: 'The first 200 characters of the data as JSON text.',
    delay: 'Milliseconds after `timestamp` before which the job does not run.',
    failedReason: 'The first 200 characters of the message of the last failure.',
    id: 'Id of the job within its queue.',
    name: 'Name of the job.',
    progress: 'The progress, if it is a number.',
    progressText:
      'The progress as JSON text, if it is not a number; absent if it is long, or if a formatter replaces it.',
  },
  MetricsHistoryPoint: {
    value: 'Jobs of the bucket, or the age of the queue in milliseconds, as the series says.',
  },
  MetricsHistoryQueueUsage: { queue: 'Name of the queue.' },
  MetricsHistoryUsage: { queues: 'Usage by queue.' },
  PgqCommandResponse: {
    'refused.count': 'Number of jobs.',
    'refused.reason': 'Why they were passed over.',
    skipped:
      'Jobs that a command on ids has left as they were, each once; absent where there are none.',
  },
  PgqDeadLetterSource: {
    createdOn: `When the failed job was created${iso}.`,
    id: 'Id of the failed job.',
    queueName: 'Queue of the failed job.',
    retryCount: 'Retries of the failed job.',
  },
  PgqDependencyRef: { id: 'Id of the job.', queueName: 'Queue of the job.' },
  PgqIndexAdvice: { table: 'The table that lacks the index.' },
  PgqInfo: {
    'supportedRange.max': 'The highest version.',
    'supportedRange.min': 'The lowest version.',
  },
  PgqInstance: {
    heartbeatOn: `Time of its last heartbeat${iso}.`,
    id: 'Id of the instance.',
    name: 'Name of the instance; null for none.',
    'pool.max': 'The most connections.',
    'pool.total': 'Open connections.',
    startedOn: `When it started${iso}.`,
    workers: 'Workers of the process.',
    'workers.active': 'Jobs that it is processing.',
    'workers.id': 'Id of the worker.',
  },
  PgqJob: {
    deadLetter: 'Queue that gets a copy of the job if it fails; null for none, or a hidden one.',
    id: 'Id of the job.',
    'raw.data': 'The data as JSON text.',
    'raw.output': 'The output as JSON text.',
  },
  PgqJobSummary: {
    brief: 'The beginnings of data and reason, if they were asked for.',
    'brief.data':
      'The first 200 characters of the data as JSON text; absent if it is large or replaced by a formatter.',
    'brief.reason':
      'The first 200 characters of the message of the last failure; absent as the data is.',
    columns: columns,
    id: 'Id of the job.',
  },
  PgqQueueCounts: { total: 'All jobs of the queue.' },
  PgqQueueDepthPoint: { total: 'All jobs of the queue.' },
  PgqQueueSummary: {
    name: 'Name of the queue.',
    readyOldestSeconds:
      'Seconds that the oldest ready job had waited; null when it was not counted.',
    retryDelayMax: 'Longest delay between retries, in seconds; null for none.',
    'runSeconds.count': 'Jobs that the percentiles are of.',
    'waitSeconds.count': 'Jobs that the percentiles are of.',
  },
  PgqSchedule: {
    data: 'Data of the jobs that the schedule sends, as JSON.',
    pattern: 'The same as `expression`, under the name that both engines have.',
    nextRuns: `At most five next runs${iso}; empty when they cannot be computed.`,
    'raw.data': 'The data as JSON text.',
  },
  PgqScheduleOptions: {
    deadLetter: 'Queue that gets a copy of a job that fails; null for none.',
    'group.id': 'Id of the group.',
    id: 'Id of the jobs, a UUID.',
    retryDelayMax: 'Longest delay between retries, in seconds; null for none.',
  },
  PgqSkippedJob: {
    code: 'Key of the reason, without `ERRORS.`, as of the command on one job.',
    id: 'Id of the job as it was sent.',
    state: 'State of the job, where it was found.',
  },
  PgqWarning: {
    createdOn: `When the library warned${iso}.`,
    id: 'Id of the warning.',
    message: 'Text of the warning.',
    queueName: 'The queue that it is about; null for none.',
    type: 'Kind of the warning.',
  },
  PurgeMetricsHistoryBody: { queue: 'Name of the queue; all queues without it.' },
  QueuePause: { by: 'The user who has paused it; absent where the board does not know them.' },
  QueueActivity: {
    'minutes.completed': 'Jobs that completed in each minute.',
    'minutes.failed': 'Jobs that failed in each minute.',
    'perMinute.completed':
      'Jobs that completed in the last full minute; of stored jobs, those of the last 60 seconds.',
    'perMinute.failed':
      'Jobs that failed in the last full minute; of stored jobs, those of the last 60 seconds.',
    'perMinute.source':
      'Where the numbers are from: the metrics of the library, or the stored jobs.',
    workers: 'Number of connected workers; null where it is not known.',
  },
  QueueDefaultJobOptions: {
    'backoff.delay': 'Milliseconds between attempts.',
    'backoff.type': 'Name of the strategy, such as `exponential`.',
    delay: 'Milliseconds that new jobs wait before they may run.',
    priority: 'Priority of new jobs.',
  },
  QueueMetrics: {
    count: 'Number of minutes that the library has stored.',
    'meta.count': 'Jobs that the library has counted in all.',
  },
  QueueWorker: { id: 'Id of the connection.', name: 'Name of the worker.' },
  SendPgqJobOptions: {
    deadLetter: 'Queue that gets a copy of the job if it fails.',
    'group.id': 'Id of the group.',
    id: 'Id of the job, a UUID.',
    retryDelayMax: 'Longest delay between retries, in seconds.',
  },
  UpsertPgqScheduleBody: {
    data: 'Data of the jobs; with `raw`, as JSON text.',
    pattern: instead('cron'),
  },
  addJob: { job: 'The job that was added, or that the queue had already.' },
  getJobLogs: {
    lines: 'The lines of the window, or the last lines.',
    start: 'Number of lines before the window.',
    total: 'Number of stored lines.',
    truncated:
      'Whether lines of the window are missing, because the answer would have been too large.',
  },
  getMetricsHistory: {
    completed: 'Completed jobs over time.',
    failed: 'Failed jobs over time.',
    queueage: 'Age of the oldest waiting job over time, in milliseconds.',
    queues: 'The series by queue, where the request groups them.',
    'queues.completed': 'Completed jobs of the queue over time.',
    'queues.failed': 'Failed jobs of the queue over time.',
    'queues.queue': 'Name of the queue.',
    'queues.queueage': 'Age of its oldest waiting job over time, in milliseconds.',
  },
  getPgqQueue: { queue: 'The queue.' },
  getQueueMetrics: { completed: 'Completed jobs by minute.', failed: 'Failed jobs by minute.' },
  listActivity: { queues: 'The activity of each visible queue.' },
  listJobs: { total: 'Jobs in the status, or in all of them.' },
  listJobSchedulers: { 'problems.problem': 'Why its schedulers could not be read.' },
  listRunning: {
    others: 'Queues in which jobs run that are not in the answer.',
    queues: 'Queues in which jobs run, by name; at most 50.',
    'queues.active': 'Jobs of the queue that run.',
    'queues.jobs': 'The jobs that began first, at most 50.',
    'queues.jobs.heartbeat': 'Whether the worker still reports, where the job asks for it.',
    'queues.jobs.heartbeat.everyMs': 'Milliseconds after which the worker has to have reported.',
    'queues.jobs.heartbeat.lastOn': 'When it last reported, in milliseconds since 1970.',
    'queues.jobs.id': 'Id of the job within its queue.',
    'queues.jobs.name': 'Name of the job.',
    'queues.jobs.startedOn': 'When its attempt began, in milliseconds since 1970.',
    'queues.jobs.worker': 'Name of its worker; null where it is not known.',
    'queues.usual': 'How long jobs of the queue run; null where no completed job is stored.',
    'queues.usual.jobs': 'Completed jobs that were measured.',
    'queues.usual.ms': 'The median of the milliseconds that they ran.',
  },
  getTimeline: {
    added: 'Stored jobs by when they were added.',
    bucketMs: 'Length of a bucket in milliseconds.',
    completed: 'Stored jobs that have completed, by when they did.',
    examined: 'Stored jobs that were read to count by when they were added.',
    failed: 'Stored jobs that have failed, by when they did.',
    from: 'Start of the first bucket, in milliseconds since 1970.',
    partial: 'Series for which more jobs are stored than were read.',
  },
  listDeployments: { 'deployments.at': 'When it was deployed, in milliseconds since 1970.' },
  listErrors: {
    at: 'The moment up to which failed jobs count, in milliseconds since 1970.',
    bucketMs: 'Length of a bucket of the curves in milliseconds.',
    errors: 'The errors of the jobs that this request has read, the most frequent first.',
    'errors.count': 'Failed jobs of the error that this request has read.',
    'errors.curve': 'Jobs by when they failed; without empty buckets.',
    'errors.curve.ts': 'Start of the bucket, in milliseconds since 1970.',
    'errors.curve.value': 'Jobs that failed in it.',
    'errors.error': 'The message without what differs from job to job.',
    'errors.example': 'The job that failed last; null where none is stored.',
    'errors.example.at': 'When it failed, in milliseconds since 1970.',
    'errors.example.id': 'Id of the job within its queue.',
    'errors.example.message': 'The beginning of its message.',
    'errors.example.queueName': 'Name of its queue.',
    'errors.fingerprint': 'Identifies the error in every answer.',
    'errors.firstAt': 'When a job first failed with it, in milliseconds since 1970.',
    'errors.lastAt': 'When a job last failed with it, in milliseconds since 1970.',
    'errors.names': 'Names of its jobs, at most 20.',
    'errors.queues': 'The queues of its jobs.',
    'errors.queues.count': 'Failed jobs of the queue.',
    'errors.queues.queueName': 'Name of the queue.',
    'errors.recorded': 'Failed attempts that the recorder keeps, also of jobs that are gone.',
    'errors.recorded.count': 'Number of attempts.',
    'errors.recorded.firstAt': 'The first of them, in milliseconds since 1970.',
    'errors.recorded.lastAt': 'The last of them, in milliseconds since 1970.',
    'errors.releases':
      'The `release` in the data of its jobs, at most 20, the last one to be seen first.',
    'errors.releases.count': 'Failed jobs of the release.',
    'errors.releases.firstAt': 'When the first of them failed, in milliseconds since 1970.',
    'errors.releases.lastAt': 'When the last of them failed, in milliseconds since 1970.',
    'errors.search':
      'The longest part that every message has, for the parameter `error` of a search; empty where there is none.',
    examined: 'Failed jobs that this request has read.',
    from: 'Start of the first bucket, in milliseconds since 1970.',
    nextCursor: 'What to pass for the next jobs; null after the last ones.',
    'problems.problem': 'Why its failed jobs could not be read.',
    'problems.queueName': 'Name of the queue.',
    recorder: 'Whether failures that a recorder keeps are in the answer; only in the last one.',
    total: 'Failed jobs of the queues; null where that is not known.',
  },
  listWorkers: { queues: 'The workers of each visible queue.' },
  listQueueWorkers: { workers: 'Connected workers; null where they are not known.' },
  pauseQueues: { queues: 'Names of the queues to pause. Default: all of them.' },
  resumeQueues: { queues: 'Names of the queues to resume. Default: all of them.' },
  runJobScheduler: { job: 'The job that was added.' },
  searchJobs: {
    jobs: 'The jobs that were found, with their queues.',
    'jobs.columns': columns,
  },
  searchQueueJobs: {
    jobs: 'The jobs that were found, with their queue.',
    'jobs.columns': columns,
  },
  sendPgqJob: {
    added: 'With a key: whether a job was added, and none of its kind or with the key was there.',
    id: 'Id of the job; null when the queue already had one of its kind.',
  },
  BulkRun: {
    action: 'The command.',
    changed: 'Jobs that were changed.',
    dryRun: 'Whether jobs are only counted.',
    endedAt: 'When it ended, in milliseconds since 1970; null while it runs.',
    examined: 'Jobs that were compared with the filter or the ids so far.',
    found: 'What a dry run over a filter tells of the jobs that it has matched so far.',
    'found.errors':
      'Number of errors, without what differs from job to job, up to 1,000; null where the sender may not see them.',
    'found.oldest':
      'When the first of them came into its state, or was added, in milliseconds since 1970; null for no jobs.',
    id: 'Id of the run.',
    matched: 'Jobs that the filter or the ids found.',
    problem: 'Why the run failed.',
    queueName: 'The queue of the jobs.',
    rate: 'The most jobs per second that it changes; null for as many as it can.',
    refused: 'Jobs that were found and not changed, by reason.',
    'refused.count': 'Number of jobs.',
    'refused.reason': 'Why they were not changed.',
    startedAt: 'When it began, in milliseconds since 1970.',
    state: 'Whether it runs, or how it ended.',
    total: 'Jobs that may have to be examined; null if not known.',
    undoable:
      'Whether it has ended and may be undone: it has changed jobs that wait afterwards, and keeps what they had before.',
    undoes: 'The run whose jobs it gives back; null for a command.',
  },
  StartBulkBody: {
    action: 'The command.',
    all: 'Must be true for a command without a condition: it is meant for every job. Conditions of a `filter` count all the same.',
    dryRun: 'Whether jobs are only counted.',
    expectedState:
      'The state in which the client saw the jobs: one for all ids, or a list with one for each. A job in another state is refused as `JOB_CHANGED`.',
    filter:
      'Parameters of the search of jobs by name, such as `{ "status": "failed", "name": "mail" }`. A blank value is refused.',
    ids: 'Ids of the jobs.',
    ifUnchanged:
      'The `version` that the client read of each job, in the order of `ids`; null for a job whose version does not count. A job that differs is refused as `JOB_CHANGED`.',
    queueName: 'The queue of the jobs.',
    rate: 'The most jobs per second to change, from 1 to 10,000. Default: as many as the board can.',
  },
  getPgqFilters: {
    filters:
      'The rules of filters as JSON: paths with kinds, operators and members, sorts and limits.',
  },
  cancelBulk: { run: 'The run.' },
  getBulk: { run: 'The run.' },
  startBulk: { run: 'The run.' },
  undoBulk: { run: 'The run that gives the jobs back.' },
  listBulk: { runs: 'Runs of visible queues, newest first.' },
  CreateJobSchedulerBody: {
    ...ofBodies,
    data: 'Data of the jobs; with `raw`, as JSON text.',
    id: 'Id of the scheduler within its queue; required except for Bull, where it is a part of the id.',
    name: 'Name of the jobs. Default: the id; of Bull, `__default__`.',
    options:
      'Options of the library for the jobs, without those that the schedule sets, such as `delay` and `jobId`.',
    startDate,
  },
  createJobScheduler: { scheduler: 'The scheduler with its next run.' },
  PreviewJobSchedulerBody: {
    ...ofBodies,
    startDate,
    count: 'Number of runs to compute.',
  },
  listJobSchedulerRuns: {
    runs: 'Its runs among the last 1,000 completed, the last 1,000 failed and the active jobs of the queue.',
    'runs.jobId': 'Id of the job of the run.',
    'runs.dueOn': 'When the run was due, in milliseconds since 1970.',
    'runs.finishedOn': 'When its job ended, in milliseconds since 1970; null while it runs.',
  },
  previewJobScheduler: { runs: 'The next runs, in ISO 8601; fewer where the schedule ends.' },
  PreviewPgqScheduleBody: { pattern: instead('expression') },
  UpdateJobSchedulerBody: ofBodies,
};

export const placeTexts: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(places).flatMap(([place, texts]) =>
    Object.entries(texts).map(([path, text]) => [`${place}.${path}`, text]),
  ),
);
