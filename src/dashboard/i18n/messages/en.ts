/** The texts in English, by room. */

import common from './en/common.json';
import course from './en/course.json';
import errors from './en/errors.json';
import failures from './en/failures.json';
import forms from './en/forms.json';
import inbox from './en/inbox.json';
import job from './en/job.json';
import metrics from './en/metrics.json';
import overview from './en/overview.json';
import pause from './en/pause.json';
import queue from './en/queue.json';
import schedules from './en/schedules.json';
import timeline from './en/timeline.json';
import views from './en/views.json';
import warnings from './en/warnings.json';
import workers from './en/workers.json';

export const texts = {
  ...common,
  ...course,
  ...errors,
  ...failures,
  ...forms,
  ...inbox,
  ...job,
  ...metrics,
  ...overview,
  ...pause,
  ...queue,
  ...schedules,
  ...timeline,
  ...views,
  ...warnings,
  ...workers,
};
