/** The texts in Arabic, by room. */

import common from './ar/common.json';
import errors from './ar/errors.json';
import failures from './ar/failures.json';
import job from './ar/job.json';
import metrics from './ar/metrics.json';
import overview from './ar/overview.json';
import queue from './ar/queue.json';
import reference from './ar/reference.json';
import schedules from './ar/schedules.json';
import views from './ar/views.json';
import warnings from './ar/warnings.json';
import workers from './ar/workers.json';

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
