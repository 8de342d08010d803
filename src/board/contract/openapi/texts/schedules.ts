/** Descriptions of the properties of job schedulers. */

const bodies = ['CreateJobSchedulerBody', 'PreviewJobSchedulerBody', 'UpdateJobSchedulerBody'];

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

export const scheduleTexts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    bodies.flatMap((body) =>
      Object.entries(ofBodies).map(([name, text]) => [`${body}.${name}`, text]),
    ),
  ),
  'AppJobScheduler.id':
    'Id of the scheduler within its queue; of Bull, its name, id, end, time zone and schedule.',
  'AppJobScheduler.name': 'Name of the jobs.',
  'AppJobScheduler.nextRuns':
    'As many of the next runs as were asked for, in ISO 8601; absent where they cannot be computed.',
  'CreateJobSchedulerBody.data': 'Data of the jobs; with `raw`, as JSON text.',
  'CreateJobSchedulerBody.id':
    'Id of the scheduler within its queue; required except for Bull, where it is a part of the id.',
  'CreateJobSchedulerBody.name': 'Name of the jobs. Default: the id; of Bull, `__default__`.',
  'CreateJobSchedulerBody.options':
    'Options of the library for the jobs, without those that the schedule sets, such as `delay` and `jobId`.',
  'createJobScheduler.scheduler': 'The scheduler with its next run.',
  'CreateJobSchedulerBody.startDate': startDate,
  'PreviewJobSchedulerBody.startDate': startDate,
  'listJobSchedulerRuns.runs':
    'Its runs among the last 1,000 completed, the last 1,000 failed and the active jobs of the queue.',
  'listJobSchedulerRuns.runs.jobId': 'Id of the job of the run.',
  'listJobSchedulerRuns.runs.dueOn': 'When the run was due, in milliseconds since 1970.',
  'listJobSchedulerRuns.runs.finishedOn':
    'When its job ended, in milliseconds since 1970; null while it runs.',
  create: 'Whether a scheduler can be created.',
  preview: 'Whether the runs of a schedule can be computed.',
  'PreviewJobSchedulerBody.count': 'Number of runs to compute.',
  'previewJobScheduler.runs': 'The next runs, in ISO 8601; fewer where the schedule ends.',
  'PreviewPgqScheduleBody.pattern': instead('expression'),
  'UpsertPgqScheduleBody.pattern': instead('cron'),
  'PgqSchedule.pattern': 'The same as `expression`, under the name that both engines have.',
};
