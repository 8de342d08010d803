/** Counts what is under way, so that closing can wait for it. */

/** Work under way. */
export interface InFlight {
  /** Runs work and counts it until it is done. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when nothing is under way, or after that many milliseconds. */
  idle(graceMs: number): Promise<void>;
}

export function inFlight(): InFlight {
  let count = 0;
  const waiting = new Set<() => void>();
  return {
    async run(work) {
      count += 1;
      try {
        return await work();
      } finally {
        count -= 1;
        if (count === 0) for (const wake of waiting) wake();
      }
    },
    async idle(graceMs) {
      if (count === 0) return;
      await new Promise<void>((resolve) => {
        const finish = (): void => {
          clearTimeout(timer);
          waiting.delete(finish);
          resolve();
        };
        const timer = setTimeout(finish, graceMs);
        waiting.add(finish);
      });
    },
  };
}
