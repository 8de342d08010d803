/**
 * Every form that a request can take on a large table with the indexes that `sluice indexes` names: Sluice, beside the
 * fastest of several statements by hand in the same run. A cell is beyond where it takes longer than 1.5 times the
 * statement by hand and 2 ms.
 */

import type { Family } from '../lists/services.ts';
import { figure, table } from '../markdown.ts';
import { type Runner, measure } from '../measure.ts';
import { type Asked, type Statement, countForms, pageForms } from './by-hand.ts';
import { type Cell, type Form, forms, perPage } from './forms.ts';
import { type Opened, drop } from './open.ts';
import { requestsOf } from './requests.ts';
import { analyse, openSeeded } from './seed.ts';

/** The databases and forms that are run. */
export interface FormsOptions {
  readonly families: readonly Family[];
  readonly rows: number;
  /** Begins of names of groups or forms. */
  readonly only: readonly string[] | null;
  /** Whether the database stays, and is used again where it is there. */
  readonly isKept: boolean;
  /** Whether cells within the bound are printed as well. */
  readonly isWhole: boolean;
}

interface Outcome {
  readonly form: Form;
  readonly cell: Cell;
  readonly hand: number;
  readonly sluice: number;
  readonly note: string;
}

const isBeyond = ({ hand, sluice }: Outcome): boolean => !(sluice <= 1.5 * hand + 2);

const asked: { readonly [cell in Cell]: Asked } = {
  cursor: { limit: perPage + 1 },
  after: { limit: perPage + 1, isAfter: true },
  page: { limit: perPage + 1, offset: 2 * perPage },
  counted: { limit: perPage, offset: 2 * perPage },
  capped: { limit: perPage, offset: 2 * perPage },
  deep: { limit: perPage + 1, offset: 4999 * perPage },
};

/** How often a cell that is beyond is measured again. */
const repeats = 2;

/** Milliseconds from which on another form may be faster than the first ones in a way that counts. */
const atOnce = 1.5;

/** The fastest of some statements: servers end those that take longer than the fastest one so far. */
async function fastest({ run }: Opened, statements: readonly Statement[]): Promise<Statement> {
  let best: { readonly statement: Statement; readonly took: number } | null = null;
  const failures: string[] = [];
  for (const statement of statements) {
    const [sql, ...values] = statement;
    try {
      const begun = performance.now();
      await run(sql, values, best ? 2 * best.took + 50 : undefined);
      const took = performance.now() - begun;
      if (!best || took < best.took) best = { statement, took };
      if (took < atOnce) break;
    } catch (error) {
      failures.push(`${String(error)}: ${sql}`);
    }
  }
  if (!best) throw new Error(failures.join('\n'));
  return best.statement;
}

const idsOf = (found: readonly object[]): number[] =>
  found.map((row) => Number((row as { readonly id: unknown }).id));

async function outcomeOf(
  opened: Opened,
  rows: number,
  form: Form,
  cell: Cell,
  send: () => Promise<{ readonly data: readonly object[]; readonly total?: number }>,
): Promise<Outcome> {
  const { family, run } = opened;
  const page = await fastest(opened, pageForms(form, family, rows, asked[cell]));
  const isCounted = cell === 'counted' || cell === 'capped';
  const cap = cell === 'capped' ? 10_000 : undefined;
  const count = isCounted ? await fastest(opened, countForms(form, family, rows, cap)) : null;
  const byHand = async () => {
    const [sql, ...values] = page;
    const found = await run(sql, values);
    if (count) {
      const [text, ...bound] = count;
      await run(text, bound);
    }
    const more = form.included?.(family, idsOf(found));
    if (more)
      await run(
        ...((more.length > 1 ? [more[0], more.slice(1)] : [more[0], []]) as [string, unknown[]]),
      );
    return found;
  };
  const begun = performance.now();
  let answer;
  try {
    answer = await send();
  } catch (error) {
    return { form, cell, hand: Number.NaN, sluice: Infinity, note: String(error) };
  }
  const first = performance.now() - begun;
  const isSame =
    idsOf(await byHand())
      .slice(0, perPage)
      .join() === idsOf(answer.data).join();
  const isSlow = first > 150;
  const runners: Runner[] = [
    { name: 'by hand', run: byHand },
    { name: 'Sluice', run: send },
  ];
  const timing = isSlow
    ? { iterations: 2, rounds: 2, warmup: 0, budget: 10_000 }
    : { iterations: 10, rounds: 5, warmup: 7, budget: 1500 };
  const outcome = async (): Promise<Outcome> => {
    const [hand, sluice] = await measure(runners, timing);
    return {
      form,
      cell,
      hand: hand?.p50 ?? Number.NaN,
      sluice: sluice?.p50 ?? Number.NaN,
      note: isSame ? '' : 'other rows',
    };
  };
  // Other work on the machine makes single figures longer.
  try {
    let measured = await outcome();
    for (let again = 0; again < repeats && isBeyond(measured); again += 1)
      measured = await outcome();
    return measured;
  } catch (error) {
    const [hand] = await measure(runners.slice(0, 1), timing);
    return { form, cell, hand: hand?.p50 ?? Number.NaN, sluice: Infinity, note: String(error) };
  }
}

/** Prints the cells of each family, and a line that counts those beyond the bound. */
export async function runForms({
  families,
  rows,
  only,
  isKept,
  isWhole,
}: FormsOptions): Promise<void> {
  for (const family of families) {
    const opened = await openSeeded(family, rows, isKept);
    const { request, createIndexes } = await requestsOf(opened, rows);
    if ((await createIndexes()) > 0) await analyse(opened);
    const outcomes: Outcome[] = [];
    for (const form of forms) {
      const label = `${form.group}: ${form.name}`;
      if (only && !only.some((part) => label.includes(part))) continue;
      for (const cell of form.cells) {
        const outcome = await outcomeOf(opened, rows, form, cell, request(form, cell));
        outcomes.push(outcome);
        const { hand, sluice, note } = outcome;
        const mark = isBeyond(outcome) ? 'BEYOND' : '';
        console.error(`${label} | ${cell} | ${figure(hand)} | ${figure(sluice)} | ${mark} ${note}`);
      }
    }
    const beyond = outcomes.filter(isBeyond);
    const lines = (isWhole ? outcomes : beyond).map((outcome) => {
      const { form, cell, hand, sluice, note } = outcome;
      const ratio = `${figure(sluice / hand)}${isBeyond(outcome) ? ' beyond' : ''}`;
      return [`${form.group}: ${form.name}`, cell, figure(hand), figure(sluice), ratio, note];
    });
    const head = ['form', 'part', 'by hand ms', 'Sluice ms', 'ratio', ''];
    console.log(`### ${opened.server}, ${rows} rows\n\n${table(head, lines)}\n`);
    console.log(`${outcomes.length} cells, ${beyond.length} beyond 1.5 times and 2 ms.\n`);
    await opened.close();
    if (!isKept) await drop(family);
  }
}
