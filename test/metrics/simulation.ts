/**
 * A day of traffic in simulated time: several recorders, workers and a datastore whose clocks step by minutes, crashes
 * between read and write, writes that arrive late or whose answer is lost, restarts, and a store that is away.
 */

import { MetricsRecorder } from '../../src/metrics/index.ts';
import type { MetricsSource, MetricsStore } from '../../src/metrics/index.ts';
import { minuteMs, minuteOf } from '../../src/metrics/model/time.ts';
import type { SourceReading } from '../../src/board/core/index.ts';

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Counts per minute as BullMQ keeps them: the steps of its script `collectMetrics`. */
class LibraryCounts {
  #count = 0;
  #prevTs: number | undefined;
  #prevCount = 0;
  #data: number[] = [];
  /** Counts by the minute in which the library puts them, kept apart. */
  readonly truth = new Map<number, number>();

  add(timestamp: number): void {
    const before = this.#count;
    this.#count += 1;
    if (this.#prevTs === undefined) {
      this.#prevTs = timestamp;
    } else {
      const steps = minuteOf(timestamp) - minuteOf(this.#prevTs);
      if (steps > 0) {
        const zeros = Array.from({ length: steps - 1 }, () => 0);
        this.#data = [...zeros, before - this.#prevCount, ...this.#data];
        this.#prevCount = before;
        this.#prevTs = timestamp;
      }
    }
    const minute = minuteOf(this.#prevTs);
    this.truth.set(minute, (this.truth.get(minute) ?? 0) + 1);
  }

  /** Reads as the source of the board does. */
  read(from: number, most: number) {
    if (this.#prevTs === undefined) return { minutes: [], next: from, more: false };
    const last = minuteOf(this.#prevTs);
    const first = Math.max(from, last - this.#data.length);
    const stop = Math.min(last, first + most);
    const minutes: [number, number][] = [];
    for (let minute = first; minute < stop; minute += 1) {
      const count = this.#data[last - 1 - minute] ?? 0;
      if (count > 0) minutes.push([minute, count]);
    }
    if (stop === last) minutes.push([last, this.#count - this.#prevCount]);
    return { minutes, next: stop, more: stop < last };
  }
}

/** A job that has finished, by the clock of its worker. */
interface Job {
  readonly finished: number;
  readonly ran: number;
  readonly waited: number;
}

/** A queue of the library. */
export class SimulatedQueue {
  readonly name: string;
  readonly completed = new LibraryCounts();
  readonly failed = new LibraryCounts();
  readonly jobs: Job[] = [];
  oldestAge = 0;
  highestAge = 0;

  constructor(name: string) {
    this.name = name;
  }

  finish(job: Job, succeeded: boolean): void {
    this.jobs.push(job);
    (succeeded ? this.completed : this.failed).add(job.finished);
  }
}

/** The source over the queues. */
export function simulatedSource(
  queues: ReadonlyMap<string, SimulatedQueue>,
  now: () => number,
): MetricsSource {
  return {
    queues: async () => [...queues.keys()],
    read: async (requests) =>
      new Map(
        [...requests].map(([name, request]): [string, SourceReading] => {
          const queue = queues.get(name) as SimulatedQueue;
          const completed = queue.completed.read(request.completedFrom, request.maxMinutes);
          const failed = queue.failed.read(request.failedFrom, request.maxMinutes);
          queue.highestAge = Math.max(queue.highestAge, queue.oldestAge);
          const { samples } = request;
          const upTo = now() - (samples?.marginMs ?? 0);
          const after = samples?.after ?? upTo - (samples?.tickMs ?? 0);
          const jobs = queue.jobs.filter(({ finished }) => finished > after && finished <= upTo);
          return [
            name,
            {
              completed,
              failed,
              more: completed.more || failed.more,
              queueAge: queue.oldestAge,
              now: now(),
              ...(samples && {
                samples: {
                  jobs: upTo > after ? jobs : [],
                  total: upTo > after ? jobs.length : 0,
                  upTo: Math.max(upTo, after),
                },
              }),
            },
          ];
        }),
      ),
  };
}

/** How a write of a recorder goes wrong. */
type Mishap = 'none' | 'unsent' | 'unanswered' | 'late' | 'away';

/** The store as one recorder reaches it. */
export class UnreliableStore {
  mishap: Mishap = 'none';
  readonly #store: MetricsStore;
  readonly #late: (() => Promise<unknown>)[] = [];

  constructor(store: MetricsStore) {
    this.#store = store;
  }

  /** Writes that arrive only now; returns how many. */
  async arrive(): Promise<number> {
    const arriving = this.#late.splice(0);
    await Promise.all(arriving.map((write) => write()));
    return arriving.length;
  }

  get store(): MetricsStore {
    const inner = this.#store;
    const fail = (): never => {
      throw new Error(`simulated: ${this.mishap}`);
    };
    return {
      commit: async (commit) => {
        if (this.mishap === 'unsent' || this.mishap === 'away') fail();
        if (this.mishap === 'late') {
          this.#late.push(() => inner.commit(commit));
          fail();
        }
        const answer = await inner.commit(commit);
        return this.mishap === 'unanswered' ? fail() : answer;
      },
      release: async (...given) => {
        if (this.mishap === 'away') fail();
        await inner.release(...given);
      },
      lastWrite: () => inner.lastWrite(),
      counters: (...given) => inner.counters(...given),
      histograms: (...given) => inner.histograms(...given),
      minutes: (...given) => inner.minutes(...given),
      addAttempts: (...given) => inner.addAttempts(...given),
      attempts: (queues) => inner.attempts(queues),
      usage: () => inner.usage(),
      purge: (scope) => inner.purge(scope),
    };
  }
}

/** The events of a simulation, to compare with the store. */
export interface Simulated {
  readonly queues: ReadonlyMap<string, SimulatedQueue>;
  /** The first and the last minute. */
  readonly from: number;
  readonly to: number;
  /** When a recorder wrote first, in milliseconds. */
  readonly firstWrite: number;
  readonly ticks: number;
  readonly errors: number;
  readonly events: SimulatedEvents;
}

/** How often each thing happened that a history must withstand. */
export interface SimulatedEvents {
  crashes: number;
  restarts: number;
  /** Ticks while the store was away, which is for an hour. */
  away: number;
  /** Writes that arrived after later ones, some of them of recorders that had crashed. */
  late: number;
  /** Steps of a clock by minutes. */
  forward: number;
  backward: number;
}

export interface SimulationOptions {
  readonly seed: number;
  readonly minutes: number;
  /** The share of minutes in which a recorder ticks. */
  readonly tickShare: number;
  /** Whether clocks step. */
  readonly steps: boolean;
}

const names = ['mail', 'reports:daily', '{images}', 'idle'];
const recorders = 3;
const stepsMinutes = [-11, -4, -2, 0, 0, 0, 0, 3, 7];

/** Runs the day. `setClock` sets the clock of the process, by which the recorders go. */
export async function simulate(
  store: MetricsStore,
  { seed, minutes, tickShare, steps }: SimulationOptions,
  setClock: (ms: number) => void,
): Promise<Simulated> {
  const random = generator(seed);
  const chance = (share: number): boolean => random() < share;
  const pick = <Member>(list: readonly Member[]): Member =>
    list[Math.floor(random() * list.length)] as Member;
  const events = { crashes: 0, restarts: 0, away: 0, late: 0, forward: 0, backward: 0 };
  /** The next state of a clock that steps. */
  const stepped = (before: number): number => {
    const after = steps ? pick(stepsMinutes) * minuteMs : 0;
    if (after > before) events.forward += 1;
    if (after < before) events.backward += 1;
    return after;
  };
  const queues = new Map(names.map((name) => [name, new SimulatedQueue(name)]));
  const start = (minuteOf(Date.now()) - minutes - 30) * minuteMs;
  let time = start;
  let errors = 0;
  let ticks = 0;
  const workers = [0, 0, 0];
  let [serverStep, recorderStep] = [0, 0];
  const source = simulatedSource(queues, () => time + serverStep);
  const make = () => {
    const unreliable = new UnreliableStore(store);
    const recorder = new MetricsRecorder({
      sources: [source],
      store: unreliable.store,
      snapshotIntervalMs: 20,
      onSnapshotError: () => void (errors += 1),
    });
    return { unreliable, recorder };
  };
  const running = Array.from({ length: recorders }, make);
  const crashed: UnreliableStore[] = [];
  let firstWrite: number | null = null;
  const awayFrom = Math.floor(random() * (minutes - 70));
  for (let minute = 0; minute < minutes; minute += 1) {
    time = start + minute * minuteMs;
    const worker = Math.floor(random() * workers.length);
    if (chance(0.02)) workers[worker] = stepped(workers[worker] ?? 0);
    if (chance(0.01)) serverStep = stepped(serverStep);
    if (chance(0.02)) recorderStep = stepped(recorderStep);
    traffic(queues, { time, workers, random, quiet: minute % 240 < 30 });
    const isAway = minute >= awayFrom && minute < awayFrom + 60;
    setClock(time + recorderStep);
    const acting = running.filter(() => chance(tickShare));
    for (const each of acting) {
      const mishap = pick(['unsent', 'unanswered', 'late'] as const);
      each.unreliable.mishap = isAway ? 'away' : chance(0.1) ? mishap : 'none';
    }
    ticks += acting.length;
    if (isAway) events.away += acting.length;
    await Promise.all(acting.map(({ recorder }) => recorder.tick()));
    firstWrite ??= await store.lastWrite();
    for (const [index, each] of running.entries()) {
      if (!isAway && chance(0.2)) events.late += await each.unreliable.arrive();
      // A crash leaves everything as it is, writes on their way included; a restart gives up the leases.
      if (chance(0.02)) {
        if (chance(0.5)) {
          events.restarts += 1;
          await each.recorder.stop();
        } else {
          events.crashes += 1;
          crashed.push(each.unreliable);
        }
        running[index] = make();
      }
    }
    const [oldest] = crashed;
    if (oldest && !isAway && chance(0.1)) {
      events.late += await oldest.arrive();
      crashed.shift();
    }
  }
  time = start + minutes * minuteMs + 600_000;
  serverStep = 0;
  setClock(time);
  for (const unreliable of [...crashed, ...running.map((each) => each.unreliable)]) {
    events.late += await unreliable.arrive();
  }
  for (const { recorder, unreliable } of running) {
    unreliable.mishap = 'none';
    await recorder.tick();
    await recorder.stop();
  }
  const last = make();
  await last.recorder.tick();
  await last.recorder.tick();
  await last.recorder.stop();
  const [from, to] = [minuteOf(start) - 60, minuteOf(time) + 60];
  return { queues, from, to, firstWrite: firstWrite ?? time, ticks, errors, events };
}

interface Traffic {
  readonly time: number;
  readonly workers: readonly number[];
  readonly random: () => number;
  readonly quiet: boolean;
}

/** The jobs that finish within a minute. */
function traffic(
  queues: ReadonlyMap<string, SimulatedQueue>,
  { time, workers, random, quiet }: Traffic,
): void {
  for (const [index, queue] of [...queues.values()].entries()) {
    if (queue.name === 'idle') continue;
    queue.oldestAge = Math.floor(random() ** 4 * 3_600_000);
    const most = quiet ? 2 : 4 + index * 12;
    const offsets = Array.from({ length: Math.floor(random() * most) }, () => random());
    for (const offset of offsets.toSorted((left, right) => left - right)) {
      const worker = workers[Math.floor(random() * workers.length)] ?? 0;
      queue.finish(
        {
          finished: Math.floor(time + worker + offset * minuteMs),
          ran: Math.floor(10 ** (random() * 5)),
          waited: Math.floor(10 ** (random() * 3)),
        },
        random() < 0.9,
      );
    }
  }
}
