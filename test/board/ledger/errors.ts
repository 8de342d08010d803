/** A ledger of failed jobs, and the errors that a board must list of them. */

/** A job that has failed, as its worker saw it. */
export interface Failed {
  readonly queueName: string;
  readonly id: string;
  /** The name of its error that is expected. */
  readonly error: string;
  readonly name: string;
  readonly release: string | null;
  readonly at: number;
}

interface Seen {
  count: number;
  firstAt: number;
  lastAt: number;
}

/** An error as a walk adds it up. */
export interface Listed extends Seen {
  fingerprint: string;
  error: string;
  search: string;
  queues: Map<string, number>;
  names: string[];
  releases: Map<string, Seen>;
  curve: Map<number, number>;
  example: { queueName: string; id: string; message: string; at: number } | null;
  recorded?: Seen;
}

interface Step {
  readonly at: number;
  readonly from: number;
  readonly bucketMs: number;
  readonly total: number | null;
  readonly examined: number;
  readonly errors: readonly (Omit<Listed, 'queues' | 'releases' | 'curve'> & {
    readonly queues: readonly { readonly queueName: string; readonly count: number }[];
    readonly releases: readonly (Seen & { readonly release: string })[];
    readonly curve: readonly { readonly ts: number; readonly value: number }[];
  })[];
  readonly nextCursor: string | null;
  readonly recorder?: string;
  readonly problems?: readonly object[];
}

/** Adds the answers of a walk up. */
export async function walkErrors(get: (path: string) => Promise<unknown>, query = '') {
  const errors = new Map<string, Listed>();
  const steps: Step[] = [];
  let cursor = '';
  do {
    const step = (await get(`/api/errors?${query}${cursor}`)) as Step;
    steps.push(step);
    for (const { queues, releases, curve, ...rest } of step.errors) {
      const known = errors.get(rest.fingerprint);
      const into: Listed = known ?? {
        ...rest,
        count: 0,
        names: [],
        queues: new Map(),
        releases: new Map(),
        curve: new Map(),
      };
      errors.set(rest.fingerprint, into);
      into.count += rest.count;
      into.firstAt = Math.min(into.firstAt, rest.firstAt);
      into.lastAt = Math.max(into.lastAt, rest.lastAt);
      into.names = [...new Set([...into.names, ...rest.names])].toSorted();
      if ((rest.example?.at ?? 0) > (into.example?.at ?? 0)) into.example = rest.example;
      for (const { queueName, count } of queues) {
        into.queues.set(queueName, (into.queues.get(queueName) ?? 0) + count);
      }
      for (const { release, ...seen } of releases) {
        const known = into.releases.get(release);
        into.releases.set(release, {
          count: (known?.count ?? 0) + seen.count,
          firstAt: Math.min(known?.firstAt ?? Infinity, seen.firstAt),
          lastAt: Math.max(known?.lastAt ?? 0, seen.lastAt),
        });
      }
      for (const { ts, value } of curve) into.curve.set(ts, (into.curve.get(ts) ?? 0) + value);
    }
    cursor = step.nextCursor === null ? '' : `&cursor=${encodeURIComponent(step.nextCursor)}`;
  } while (cursor !== '');
  return { steps, errors: [...errors.values()] };
}

/** The facts of errors that are compared, by name. */
export const factsOf = (errors: readonly Listed[]) =>
  Object.fromEntries(
    errors
      .toSorted((one, other) => (one.error < other.error ? -1 : 1))
      .map(({ error, count, firstAt, lastAt, queues, names, releases, curve }) => [
        error,
        {
          count,
          firstAt,
          lastAt,
          names,
          queues: Object.fromEntries([...queues].toSorted()),
          releases: Object.fromEntries([...releases].toSorted()),
          curve: Object.fromEntries([...curve].toSorted(([one], [other]) => one - other)),
        },
      ]),
  );

const seenIn = (jobs: readonly Failed[]): Seen => ({
  count: jobs.length,
  firstAt: Math.min(...jobs.map(({ at }) => at)),
  lastAt: Math.max(...jobs.map(({ at }) => at)),
});

/** The same of a ledger, in the buckets of a walk; without names where the library has none. */
export function ledgerFacts(
  ledger: readonly Failed[],
  { from, bucketMs }: { readonly from: number; readonly bucketMs: number },
  hasNames: boolean,
) {
  const counted = (keys: readonly (string | number)[]) =>
    Object.fromEntries(
      [...Map.groupBy(keys, (key) => key)]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, alike]) => [key, alike.length]),
    );
  const groups = Map.groupBy(ledger, ({ error }) => error);
  return Object.fromEntries(
    [...groups].toSorted().map(([error, jobs]) => [
      error,
      {
        ...seenIn(jobs),
        names: hasNames ? [...new Set(jobs.map(({ name }) => name))].toSorted() : [],
        queues: counted(jobs.map(({ queueName }) => queueName)),
        releases: Object.fromEntries(
          [...Map.groupBy(jobs, ({ release }) => release)]
            .flatMap(([release, some]): [string, Seen][] =>
              release === null ? [] : [[release, seenIn(some)]],
            )
            .toSorted(([one], [other]) => (one < other ? -1 : 1)),
        ),
        curve: counted(
          jobs.flatMap(({ at }) =>
            at < from ? [] : [from + Math.floor((at - from) / bucketMs) * bucketMs],
          ),
        ),
      },
    ]),
  );
}

const long = 'x'.repeat(200);

/** Errors that workers throw: the message of the job of a number, and the name that is expected. */
export const kinds: readonly (readonly [message: (at: number) => string, name: string])[] = [
  [(at) => `Order ${at} failed after ${at / 8} s`, 'Order <n> failed after <n> s'],
  [
    (at) => `connect ECONNREFUSED 10.0.${at % 256}.7:5432\n    at line ${at}`,
    'connect ECONNREFUSED <n>',
  ],
  [(at) => `No customer "Ada ${at}" at user.${at}@example.com`, 'No customer <text> at <email>'],
  [(at) => `GET https://api.example.com/orders/${at} answered 502`, 'GET <url> answered <n>'],
  [() => 'The gateway does not answer', 'The gateway does not answer'],
  // Longer than what is kept: the lengths of what is taken out do not part it.
  [
    (at) => `ⓘ ${'é'.repeat(250)} ${'9'.repeat((at % 7) + 1)} ${long}`,
    `ⓘ ${'é'.repeat(250)} <n> ${long}`.slice(0, 300),
  ],
];
