/** The way back from a job to the list that it was opened from. */

import { useNavigate } from '@tanstack/react-router';

import { t } from '../i18n/index.ts';
import type { Action } from '../keys/keys.ts';
import { useView } from '../view.ts';

export function useBack(queueName: string): Action {
  const navigate = useNavigate();
  const view = useView();
  return {
    id: 'back',
    title: t('job.back', { queue: queueName }),
    keys: 'Escape, u',
    group: 'go',
    run: () =>
      void navigate({
        to: '/queue/$queueName',
        params: { queueName },
        search: { ...view, tab: undefined },
      }),
  };
}
