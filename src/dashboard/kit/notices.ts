/** Notices that the page shows after an action: the last few results, with an undo where there is one. */

import { sharedValue } from '../live/shared-value.ts';

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: 'info' | 'danger';
  readonly undo?: (() => void) | undefined;
  /** Something to go on with, such as opening what was made. */
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
  /** Lines to open, such as the reasons of a bulk command. */
  readonly details?: readonly string[] | undefined;
}

const showMs = 6_000;
const most = 3;

const notices = sharedValue<readonly Notice[]>([]);
let last = 0;

export function dismiss(id: number): void {
  notices.set(notices.get().filter((notice) => notice.id !== id));
}

export function tell(
  notice: Omit<Notice, 'id' | 'tone'> & { readonly tone?: Notice['tone'] },
): void {
  last += 1;
  const id = last;
  const added: Notice = { tone: 'info', ...notice, id };
  notices.set([...notices.get(), added].slice(-most));
  // A failure and an offer stay until they are dismissed or pushed out.
  if (notice.tone === 'danger') return;
  setTimeout(
    () => dismiss(id),
    notice.undo || notice.details || notice.action ? 2 * showMs : showMs,
  );
}

export const useNotices = notices.use;
