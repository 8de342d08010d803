/** Request to plan, compared with `qs.parse` alone on the same text. */

import qs from 'qs';
import { buildQuery, planQuery } from '../../src/index.ts';
import { quantile } from '../measure.ts';
import { figure, table } from '../markdown.ts';
import { coreRequests } from './requests.ts';
import type { CoreRequest } from './requests.ts';
import { rules } from './rules.ts';

/** One operation on a text, to be timed. */
interface Step {
  readonly name: string;
  readonly run: (text: string) => unknown;
}

const stepsOf = ({ rules: own }: CoreRequest): readonly Step[] => [
  { name: 'qs.parse', run: (text) => qs.parse(text) },
  { name: 'URLSearchParams, read', run: (text) => [...new URLSearchParams(text)] },
  { name: 'planQuery', run: (text) => planQuery(text, own) },
];

/** The input of `buildQuery`: the typical request, as an application writes it. */
const built = {
  filter: { age: { gte: 18 }, active: { eq: true }, 'company.name': { ilike: 'ban' } },
  sort: ['-createdAt', 'name'],
  fields: ['id', 'name', 'email', 'company.name'],
  includes: ['company'],
  page: 2,
  perPage: 20,
};

/** Keeps the results observable, so that the engine does not remove the calls. */
let sink: unknown;

function timeBatch(step: Step, texts: readonly string[], calls: number): number {
  const start = process.hrtime.bigint();
  for (let call = 0; call < calls; call += 1) sink = step.run(texts[call % texts.length] ?? '');
  return Number(process.hrtime.bigint() - start) / calls;
}

/** Median nanoseconds per call of each step, in rounds of about a millisecond. */
function measureSteps(list: readonly Step[], texts: readonly string[], rounds: number): number[] {
  const calls = list.map((step) => {
    timeBatch(step, texts, 2_000);
    return Math.max(10, Math.round(1_000_000 / timeBatch(step, texts, 500)));
  });
  const samples = list.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < list.length; turn += 1) {
      const index = (turn + round) % list.length;
      const step = list[index];
      if (step !== undefined) samples[index]?.push(timeBatch(step, texts, calls[index] ?? 10));
    }
  }
  return samples.map((values) => quantile(values, 0.5));
}

function report(request: CoreRequest, rounds: number): string[][] {
  const steps = stepsOf(request);
  const times = measureSteps(steps, request.texts, rounds);
  const base = times[0] ?? Number.NaN;
  return steps.map((step, index) => {
    const time = times[index] ?? Number.NaN;
    return [`${request.name}: ${step.name}`, time.toFixed(0), figure(time / base)];
  });
}

/** Prints the tables. */
export function runCore(rounds: number): void {
  const rows = coreRequests.flatMap((request) => report(request, rounds));
  const [build] = measureSteps(
    [{ name: 'buildQuery', run: () => buildQuery(rules, built) }],
    [''],
    rounds,
  );
  rows.push(['typical: buildQuery', (build ?? Number.NaN).toFixed(0), '']);
  console.log(table(['request and step', 'ns per call', 'of qs.parse'], rows));
  if (sink === undefined) throw new Error('Nothing was measured.');
}
