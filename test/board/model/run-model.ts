/** Draws sequences of steps, alone and side by side, and holds a store against the model after each of them. */

import fc from 'fast-check';
import { everything, holds } from '../../seed.ts';
import { isQuick } from '../../setup/left-to-ci.ts';
import { type Model, type ModelJob, type Step, agreed, ran } from './model.ts';

/** A queue of a store, its worker and the boards on it. */
export interface ModelQueue {
  /** How jobs may be added. */
  readonly ways: readonly string[];
  /** Adds jobs in one of the ways; those that it tells may be known, where a key of theirs was taken. */
  add(way: string, kind: string): Promise<ReadonlyMap<string, ModelJob>>;
  /** The steps on jobs that are there. `pick` chooses among jobs, and `turn` among boards. */
  readonly steps: readonly ((model: Model, pick: number, turn: number) => Step)[];
  /** A job that no step has added, such as the next run of a schedule. */
  readonly comes?: (id: string) => ModelJob | undefined;
  /** Whether the queue was removed since the last call, so that ids of jobs begin again. */
  readonly hasBegunAgain?: () => boolean;
  /** The state of each job; throws where one is in two states. */
  states(): Promise<ReadonlyMap<string, string>>;
  /** Rules of the store that do not hold: locks, keys and relations that belong to no job, or to another one. */
  flaws(): Promise<readonly string[]>;
  close(): Promise<void>;
}

type Drawn =
  | { readonly add: number; readonly kind: string }
  | { readonly steps: readonly { at: number; pick: number; turn: number }[] };

/** Numbers, of which a queue takes those within its ways and steps. */
const drawn = ((): fc.Arbitrary<Drawn> => {
  const step = fc.record({
    at: fc.nat(1_000),
    pick: fc.nat(1_000),
    turn: fc.nat(1),
  });
  return fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({ add: fc.nat(1_000), kind: fc.constantFrom('a', 'b') }),
    },
    { weight: 3, arbitrary: fc.record({ steps: fc.tuple(step) }) },
    { weight: 2, arbitrary: fc.record({ steps: fc.tuple(step, step) }) },
    { weight: 1, arbitrary: fc.record({ steps: fc.tuple(step, step, step) }) },
  );
})();

async function check(queue: ModelQueue, sequence: readonly Drawn[]): Promise<void> {
  let model: Model = new Map();
  const told: string[] = [];
  try {
    for (const one of sequence) {
      if ('add' in one) {
        const way = queue.ways[one.add % queue.ways.length] ?? '';
        const added = await queue.add(way, one.kind);
        told.push(`add ${way}: ${[...added.keys()].join()}`);
        for (const [id] of added) {
          if (model.get(id)?.state === 'gone') throw new Error(`the removed job ${id} is told`);
        }
        // A job that is known is as it was.
        model = new Map([...added, ...model]);
        model = agreed(model, new Map(), await queue.states(), queue.comes);
      } else {
        const before = model;
        const steps = one.steps.flatMap(
          ({ at, pick, turn }) => queue.steps[at % queue.steps.length]?.(before, pick, turn) ?? [],
        );
        told.push(steps.map(({ name }) => name).join(' | '));
        const allowed = await ran(model, steps);
        model = agreed(model, allowed, await queue.states(), queue.comes);
        if (queue.hasBegunAgain?.()) {
          model = new Map([...model].filter(([, { state }]) => state !== 'gone'));
        }
      }
      const flaws = await queue.flaws();
      if (flaws.length > 0) throw new Error(flaws.join('\n'));
    }
  } catch (error) {
    if (error instanceof Error) error.message += `\nSteps:\n  ${told.join('\n  ')}`;
    throw error;
  }
}

/** Runs sequences on fresh queues: 10 on a developer's machine, 60 in CI, 2,000 in a long run. */
export async function followsModel(open: () => Promise<ModelQueue>): Promise<void> {
  const sequences = fc.array(drawn, { minLength: 5, maxLength: 20, size: 'max' });
  await holds(
    fc.asyncProperty(sequences, async (sequence) => {
      const queue = await open();
      try {
        await check(queue, sequence);
      } finally {
        await queue.close();
      }
    }),
    everything ? 2_000 : isQuick ? 100 : 600,
  );
}
