/** What libraries do with requests that clients get wrong. */

import type { Agent } from 'node:http';
import { type Library, type Mistake, mistakes } from './libraries.ts';
import { type Answer, type Peer, ask } from './measured.ts';

/** The outcome as the table has it; `all` is the number of all rows. */
export function outcomeOf(
  { read }: Pick<Library, 'read'>,
  mistake: Mistake,
  { status, body }: Answer,
  all: number,
): string {
  if (status >= 500) return `fails, ${status}`;
  const parsed = JSON.parse(body) as Parameters<Library['read']>[0] & { errors?: unknown };
  if (status >= 400 || parsed.errors) return 'refused';
  const { rows, total } = read(parsed);
  if (mistake === 'noLimit' || mistake === 'large') return `${rows.length} rows`;
  if (total === all) return 'ignored: all rows';
  return `applied: ${total} row${total === 1 ? '' : 's'}`;
}

/** The outcomes of a library, in the order of `mistakes`. */
export async function outcomesOf(agent: Agent, peer: Peer, library: Library): Promise<string[]> {
  const requests = library.mistakes;
  if (!requests) return [];
  const { total } = library.read(JSON.parse((await ask(agent, peer, requests.noLimit)).body));
  const outcomes: string[] = [];
  for (const mistake of mistakes) {
    const answer = await ask(agent, peer, requests[mistake]);
    outcomes.push(outcomeOf(library, mistake, answer, total));
  }
  return outcomes;
}
