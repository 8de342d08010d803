/** The texts in Portuguese, by room. */

import common from './pt/common.json';
import errors from './pt/errors.json';
import job from './pt/job.json';
import metrics from './pt/metrics.json';
import overview from './pt/overview.json';
import queue from './pt/queue.json';
import schedules from './pt/schedules.json';
import views from './pt/views.json';

export const texts = {
  ...common,
  ...errors,
  ...job,
  ...metrics,
  ...overview,
  ...queue,
  ...schedules,
  ...views,
};
