/** The menu of several queues: those of a group, or all that are shown, are paused or resumed together. */

import { Suspense, useState } from 'react';

import { t } from '../i18n/index.ts';
import { Menu } from '../kit/menu.tsx';
import type { MenuItem } from '../kit/menu.tsx';
import { part } from '../kit/patient.ts';
import type { Asked } from './pause-question.tsx';
import type { QueueRow } from './rows.ts';

const PauseQuestion = part(() => import('./pause-question.tsx'), 'PauseQuestion');

export function PauseMany({
  label,
  rows,
}: {
  readonly label: string;
  readonly rows: readonly QueueRow[];
}) {
  const [asked, ask] = useState<Asked>();
  const items = [true, false].flatMap((paused): MenuItem[] => {
    const those = rows.filter((row) => row.pausesTogether && row.paused !== paused);
    if (those.length === 0) return [];
    return [
      {
        id: paused ? 'pause' : 'resume',
        label: t(paused ? 'overview.pauseMany' : 'overview.resumeMany', { count: those.length }),
        icon: paused ? 'bars' : 'play',
        run: () => ask({ paused, rows: those }),
      },
    ];
  });
  return (
    <>
      <Menu label={label} items={items} />
      <Suspense>{asked && <PauseQuestion asked={asked} close={() => ask(undefined)} />}</Suspense>
    </>
  );
}
