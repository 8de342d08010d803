/** The longest turns of the event loop, as CPU time of the thread: other programs of a busy machine do not count. */

import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The longest turn in milliseconds of CPU, and the longest delay of the loop by the clock. */
export interface Turns {
  readonly cpu: number;
  readonly wall: number;
}

/** CPU time of this thread in milliseconds. */
function cpuOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Watches until the returned function is called. A timer per turn reads the clock of the thread. */
export function watchTurns(): () => Turns {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let [last, cpu] = [cpuOfThread(), 0];
  const tick = (): void => {
    const now = cpuOfThread();
    cpu = Math.max(cpu, now - last);
    last = now;
  };
  const timer = setInterval(tick, 1);
  return () => {
    clearInterval(timer);
    tick();
    delay.disable();
    return { cpu, wall: delay.max / 1e6 };
  };
}
