/**
 * A model of a queue: the state of each job, and for each command the states from which it moves a job to another. Steps
 * that run side by side leave each job as one of their orders does.
 */

/** A job as the model knows it. */
export interface ModelJob {
  /** Its state; `gone` once it is removed. */
  readonly state: string;
  /** Part of its data, by which filters find it. */
  readonly kind: string;
  /** Whether it belongs to a flow, whose members move each other; only the rules of the store are checked. */
  readonly isLoose?: boolean;
}

/** The answer of a command, as far as it tells of jobs. */
export interface Told {
  /** Jobs that it says to have moved; none where it does not name them. */
  readonly moved?: ReadonlySet<string>;
  /** Jobs that it says to have left. */
  readonly left?: ReadonlySet<string>;
  /** The number of jobs that it says to have moved. */
  readonly count?: number;
  /** Whether it was refused, beside other steps perhaps on its way. */
  readonly isRefused?: boolean;
}

/** A step on jobs that are there. */
export interface Step {
  readonly name: string;
  /** Whether it passes by jobs that another step holds or moves at that moment. */
  readonly passesHeld?: boolean;
  /** Whether it may spare jobs that the model cannot tell from others. */
  readonly maySpare?: () => boolean;
  /** The state that it gives to a job, if it finds it like this; undefined where it leaves the job. */
  moves(id: string, job: ModelJob): string | undefined;
  run(): Promise<Told>;
}

export type Model = ReadonlyMap<string, ModelJob>;

const orders = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));

interface Done {
  readonly step: Step;
  readonly told: Told;
}

/** The states of a job after the steps in this order; none where one of them has told otherwise. */
function after(id: string, job: ModelJob, order: readonly Done[], isAlone: boolean): string[] {
  const [first, ...rest] = order;
  if (!first) return [job.state];
  const { step, told } = first;
  const due = job.state === 'gone' ? undefined : step.moves(id, job);
  const state = told.isRefused && isAlone ? undefined : due;
  const isSure = !step.maySpare?.() && (isAlone || !(step.passesHeld || told.isRefused));
  const ways = isSure || state === undefined ? [state] : [state, undefined];
  return ways.flatMap((way) => {
    const isTold = told.moved && told.moved.has(id) !== (way !== undefined);
    const isLeft = told.left?.has(id) && way !== undefined;
    if (!job.isLoose && (isTold || isLeft)) return [];
    return after(id, way === undefined ? job : { ...job, state: way }, rest, isAlone);
  });
}

/** Runs steps side by side, and returns the states of each job that one of their orders explains. */
export async function ran(
  model: Model,
  steps: readonly Step[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const done = await Promise.all(steps.map(async (step) => ({ step, told: await step.run() })));
  const [only] = done;
  if (done.length === 1 && only?.told.count !== undefined && !only.step.maySpare?.()) {
    const alive = [...model].filter(([, { state }]) => state !== 'gone');
    const moved = alive.filter(([id, job]) => only.step.moves(id, job) !== undefined);
    // A member of a flow takes others along, and may be removed while it waits for them.
    const loose = alive.filter(([, { isLoose }]) => isLoose).length;
    const firm = moved.filter(([, { isLoose }]) => !isLoose).length;
    if (only.told.count < firm || only.told.count > firm + loose) {
      throw new Error(`${only.step.name} tells ${only.told.count} jobs instead of ${firm}`);
    }
  }
  return new Map(
    [...model].map(([id, job]) => {
      const states = orders(done).flatMap((order) => after(id, job, order, done.length === 1));
      return [id, new Set(states)] as const;
    }),
  );
}

/**
 * Compares the store with the states that may be; returns the model of the jobs as they are. `comes` tells the jobs that
 * no step adds.
 */
export function agreed(
  model: Model,
  allowed: ReadonlyMap<string, ReadonlySet<string>>,
  states: ReadonlyMap<string, string>,
  comes: (id: string) => ModelJob | undefined = () => undefined,
): Model {
  const come = [...states.keys()]
    .filter((id) => !model.has(id))
    .map((id) => {
      const job = comes(id);
      if (!job) throw new Error(`job ${id} comes from nowhere`);
      return [id, job] as const;
    });
  return new Map(
    [...model, ...come].map(([id, job]) => {
      const state = states.get(id) ?? 'gone';
      const expected = allowed.get(id) ?? new Set([job.state]);
      if (!job.isLoose && !expected.has(state)) {
        throw new Error(
          `job ${id}, which was ${job.state}, is ${state} instead of ${[...expected].join(' or ') || 'anything that the answers allow'}`,
        );
      }
      // A member that ends may be removed with its parent.
      const isHeld = job.state === 'active' && [...expected].every((other) => other === 'active');
      if (job.isLoose && isHeld && state === 'gone') {
        throw new Error(`job ${id} is gone while a worker has it`);
      }
      return [id, { ...job, state }] as const;
    }),
  );
}
