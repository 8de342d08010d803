/** Notices that the page shows after an action: the last few results, with an undo where there is one. */

import { useSyncExternalStore } from 'react';

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

let notices: readonly Notice[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: readonly Notice[]): void {
  notices = next;
  for (const listener of listeners) listener();
}

export function dismiss(id: number): void {
  set(notices.filter((notice) => notice.id !== id));
}

export function tell(
  notice: Omit<Notice, 'id' | 'tone'> & { readonly tone?: Notice['tone'] },
): void {
  last += 1;
  const id = last;
  const added: Notice = { tone: 'info', ...notice, id };
  set([...notices, added].slice(-most));
  // A failure and an offer stay until they are dismissed or pushed out.
  if (notice.tone === 'danger') return;
  setTimeout(
    () => dismiss(id),
    notice.undo || notice.details || notice.action ? 2 * showMs : showMs,
  );
}

export function useNotices(): readonly Notice[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
  );
}
