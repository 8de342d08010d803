/** Sends the request to the chosen database, then to the other one to compare the answers. */

import { useEffect, useState } from 'react';

import type { Address } from './address.ts';
import { explain } from './data.ts';
import type { Explanation } from './data.ts';

export interface Sent {
  readonly loading: boolean;
  readonly explanation?: Explanation;
  /** The same request on the other database. */
  readonly compared?: Explanation;
  /** Why there is no answer. */
  readonly problem?: string;
}

export function useExplanation({ database, list, query }: Address, other: string): Sent {
  const [sent, setSent] = useState<Sent>({ loading: true });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const send = async () => {
      setSent(({ explanation }) => ({ loading: true, ...(explanation && { explanation }) }));
      try {
        const explanation = await explain({ database, list, query }, signal);
        setSent({ loading: true, explanation });
        const compared = await explain({ database: other, list, query }, signal);
        setSent({ loading: false, explanation, compared });
      } catch (error) {
        if (signal.aborted) return;
        setSent({
          loading: false,
          problem: error instanceof Error ? error.message : String(error),
        });
      }
    };
    void send();
    return () => controller.abort();
  }, [database, list, query, other]);
  return sent;
}
