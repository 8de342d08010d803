/** The texts in German, by room. */

import common from './de/common.json';
import errors from './de/errors.json';
import job from './de/job.json';
import metrics from './de/metrics.json';
import overview from './de/overview.json';
import queue from './de/queue.json';
import schedules from './de/schedules.json';
import views from './de/views.json';

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
