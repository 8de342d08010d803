/** The outcome of a request of a dialog: it closes, or says why not. The person may have closed it meanwhile. */

import { useEffect, useRef } from 'react';

import { tell } from './notices.ts';

/** @param say shows a problem in the dialog */
export function useOutcome(close: () => void, say?: (text: string) => void) {
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return {
    /** Closes the dialog; where it is gone, another one may be open, which stays. */
    finish: () => {
      if (shown.current) close();
    },
    /** Says why it was not done: in the dialog, or at the edge of the page. */
    refuse: (text: string) => {
      if (say && shown.current) say(text);
      else tell({ text, tone: 'danger' });
    },
  };
}
