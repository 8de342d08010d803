/** Counts pending work, so that closing can wait for it. */

/** Pending work. */
export interface InFlight {
  /** Runs work and counts it until it settles. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when nothing is pending, or after the given milliseconds. */
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
