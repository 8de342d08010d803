/** Interleaved measurement: contenders take turns in short rounds, so that a disturbance affects all of them. */

import { setTimeout as pause } from 'node:timers/promises';

/** One contender; `run` receives the number of the request. */
export interface Runner {
  readonly name: string;
  readonly run: (index: number) => unknown;
}

export interface MeasureOptions {
  /** Requests per contender, without the warm-up. */
  readonly iterations: number;
  /** Number of rounds for the requests. */
  readonly rounds: number;
  /** Requests per contender before the recording starts. */
  readonly warmup: number;
  /** Milliseconds after which no other round starts, if five are complete. */
  readonly budget: number;
}

/** The figures of one contender. Times in milliseconds. */
export interface Measured {
  readonly name: string;
  readonly iterations: number;
  readonly p50: number;
  readonly p95: number;
  /** CPU time of the main thread per request: median of the rounds. */
  readonly cpu: number;
}

/** CPU time of this thread in microseconds; of the process if Node.js has no clock per thread. */
function cpuMicroseconds(): number {
  const usage = process.threadCpuUsage?.() ?? process.cpuUsage();
  return usage.user + usage.system;
}

/**
 * Reads the CPU clock right after the thread has slept. The kernel updates the time of a thread when it leaves the
 * processor; in between it advances in ticks of a few milliseconds.
 */
export async function settledCpu(): Promise<number> {
  await pause(1);
  return cpuMicroseconds();
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Runs all contenders and returns one result per contender, in the same order. */
export async function measure(
  runners: readonly Runner[],
  options: MeasureOptions,
): Promise<Measured[]> {
  const cells = runners.map((runner) => ({
    runner,
    next: 0,
    wall: [] as number[],
    cpu: [] as number[],
  }));
  const batch = Math.max(1, Math.ceil(options.iterations / options.rounds));

  for (const cell of cells) {
    const start = performance.now();
    for (let count = 0; count < options.warmup; count += 1) {
      await cell.runner.run(cell.next++);
      if (count >= 5 && performance.now() - start > options.budget / 10) break;
    }
  }

  // Garbage of earlier measurements is not collected during this one.
  globalThis.gc?.();
  const start = performance.now();
  for (let round = 0; round < options.rounds; round += 1) {
    if (round >= 5 && performance.now() - start > options.budget) break;
    const turn = round % cells.length;
    for (const cell of [...cells.slice(turn), ...cells.slice(0, turn)]) {
      const { run } = cell.runner;
      const before = await settledCpu();
      for (let count = 0; count < batch; count += 1) {
        const begun = performance.now();
        await run(cell.next++);
        cell.wall.push(performance.now() - begun);
      }
      // Each turn pays for its own garbage, and none for that of the turn before.
      globalThis.gc?.({ type: 'minor', execution: 'sync' });
      cell.cpu.push((await settledCpu()) - before);
    }
  }

  return cells.map((cell) => ({
    name: cell.runner.name,
    iterations: cell.wall.length,
    p50: quantile(cell.wall, 0.5),
    p95: quantile(cell.wall, 0.95),
    cpu: quantile(cell.cpu, 0.5) / batch / 1000,
  }));
}
