/** The texts in German, by room. */

import common from './de/common.json';
import errors from './de/errors.json';
import failures from './de/failures.json';
import job from './de/job.json';
import metrics from './de/metrics.json';
import overview from './de/overview.json';
import queue from './de/queue.json';
import reference from './de/reference.json';
import schedules from './de/schedules.json';
import views from './de/views.json';
import warnings from './de/warnings.json';
import workers from './de/workers.json';

export const texts = {
  ...common,
  ...errors,
  ...failures,
  ...job,
  ...metrics,
  ...overview,
  ...queue,
  ...reference,
  ...schedules,
  ...views,
  ...warnings,
  ...workers,
};
