/** The texts in Portuguese, by room. */

import common from './pt/common.json';
import errors from './pt/errors.json';
import failures from './pt/failures.json';
import job from './pt/job.json';
import metrics from './pt/metrics.json';
import overview from './pt/overview.json';
import queue from './pt/queue.json';
import reference from './pt/reference.json';
import schedules from './pt/schedules.json';
import views from './pt/views.json';
import warnings from './pt/warnings.json';
import workers from './pt/workers.json';

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
