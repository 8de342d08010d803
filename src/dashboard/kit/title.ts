/** The title of the window: the screen first, so that tabs can be told apart. */

import { useEffect } from 'react';

import { uiConfig } from '../config.ts';

export function useTitle(...parts: readonly string[]): void {
  const title = [...parts, uiConfig.boardTitle].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
