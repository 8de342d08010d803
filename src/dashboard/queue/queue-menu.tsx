/** The menu of a queue in the overview. */

import { useAllowed } from '../actions/perform.ts';
import { pathStep } from '../api/path-name.ts';
import { t } from '../i18n/index.ts';
import { copyText } from '../kit/copy.ts';
import { Menu } from '../kit/menu.tsx';
import type { MenuItem } from '../kit/menu.tsx';
import type { QueueRow } from '../overview/rows.ts';
import { retryFailed, setPaused } from './queue-commands.ts';

export function QueueMenu({ row }: { readonly row: QueueRow }) {
  const { board, name, paused, readOnly, failed } = row;
  const allowed = useAllowed(board, name, row.allowed);
  const items: MenuItem[] = [];
  if (!readOnly && board.engine === 'kvq' && allowed('queue.pause')) {
    items.push({
      id: 'pause',
      label: t(paused ? 'queue.resume' : 'queue.pause'),
      icon: paused ? 'play' : 'bars',
      run: () => void setPaused(board, name, !paused),
    });
  }
  if (!readOnly && (failed ?? 0) > 0 && allowed('jobs.retry')) {
    items.push({
      id: 'retry',
      label: t('queue.retryFailed', { count: failed ?? 0 }),
      icon: 'retry',
      run: () => void retryFailed(board, name),
    });
  }
  items.push(
    { id: 'copy', label: t('queue.copyName'), icon: 'copy', run: () => void copyText(name, name) },
    {
      id: 'link',
      label: t('queue.copyLink'),
      icon: 'link',
      run: () => void copyText(`${location.origin}${board.basePath}/queue/${pathStep(name)}`, name),
    },
  );
  return <Menu label={t('queue.menu', { queue: name })} items={items} />;
}
