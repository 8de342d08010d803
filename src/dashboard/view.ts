/** The view of a screen, which is its URL: all that a colleague needs to see the same rows. */

import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The parameters of all screens. */
export interface View {
  /** Base path of the board; absent for the page's own. */
  readonly board?: string | undefined;
  /** Filter in its text form. */
  readonly q?: string | undefined;
  /** The moment from which the filter tells times, in milliseconds since 1970. */
  readonly asOf?: string | undefined;
  readonly state?: string | undefined;
  readonly order?: string | undefined;
  readonly page?: string | undefined;
  readonly cursor?: string | undefined;
  /** Columns of the jobs, with their widths. */
  readonly columns?: string | undefined;
  readonly size?: string | undefined;
  readonly sort?: string | undefined;
  readonly group?: string | undefined;
  readonly show?: string | undefined;
  readonly engine?: string | undefined;
  /** Section of a screen. */
  readonly tab?: string | undefined;
  readonly queue?: string | undefined;
  readonly range?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly compare?: string | undefined;
  /** Id of a job that another is compared with. */
  readonly with?: string | undefined;
  /** A moment of a chart whose jobs are shown: its first and last millisecond. */
  readonly at?: string | undefined;
  readonly type?: string | undefined;
}

export const parseView = (text: string): View => Object.fromEntries(new URLSearchParams(text));

export function printView(view: object): string {
  const given = Object.entries(view).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given as [string, string][]).toString();
  return text === '' ? '' : `?${text}`;
}

export function useView(): View {
  return useSearch({ strict: false }) as View;
}

/** Changes the view; `replace` for steps that Back should not undo one by one, such as typing. */
export function useChangeView(): (changes: View, options?: { readonly replace?: boolean }) => void {
  const navigate = useNavigate();
  return useCallback(
    (changes, { replace = false } = {}) => {
      void navigate({
        to: '.',
        search: ((before: View) => ({ ...before, ...changes })) as never,
        replace,
        resetScroll: false,
      });
    },
    [navigate],
  );
}
