/** How many jobs a step of a command on many jobs takes: few at first, and more while steps are short. */

/** Jobs of the first step. */
export const firstStep = 1_000;

/** Milliseconds of a step that the next one may reach, and of one after which the next is smaller. */
const [shortMs, longMs] = [500, 2_000];

/** How many times as many jobs as the step before it one takes at most: the first are seldom like all others. */
const growth = 16;

export class StepSize {
  readonly #largest: number;
  readonly #smallest: number;
  #size: number;

  constructor(largest: number) {
    this.#largest = largest;
    this.#smallest = Math.min(firstStep, largest);
    this.#size = this.#smallest;
  }

  get jobs(): number {
    return Math.round(this.#size);
  }

  /** Runs a step, and sets the size of the next one. */
  async run<Answer>(step: (jobs: number) => Promise<Answer>): Promise<Answer> {
    const began = performance.now();
    const answer = await step(this.jobs);
    const took = performance.now() - began;
    if (took > longMs) this.#size = Math.max(this.#smallest, this.#size / 2);
    else if (took < shortMs) {
      this.#size = Math.min(this.#largest, this.#size * Math.min(growth, shortMs / took));
    }
    return answer;
  }
}
