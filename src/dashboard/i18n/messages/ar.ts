/** The texts in Arabic, by room. */

import common from './ar/common.json';
import errors from './ar/errors.json';
import job from './ar/job.json';
import metrics from './ar/metrics.json';
import overview from './ar/overview.json';
import queue from './ar/queue.json';
import schedules from './ar/schedules.json';
import views from './ar/views.json';

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
