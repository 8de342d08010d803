/** A login at the realm, step by step, as a browser goes through it. */

import type { Agent, Answer } from './agent.ts';
import { navigation } from './agent.ts';

/** Follows redirects from the board to the realm's form. Gives the form's address. */
export async function toForm(agent: Agent, first: Answer): Promise<string> {
  let location = first.headers.location ?? '';
  for (let hop = 0; hop < 5; hop += 1) {
    const answer = await agent.ask(location, { headers: navigation }, { board: false });
    if (answer.status === 200) return location;
    location = new URL(answer.headers.location ?? '', location).href;
  }
  throw new Error('the realm shows no form');
}

/** Fills the form in, and follows to the address that leads back to the board. */
export async function toCallback(agent: Agent, form: string, account: string): Promise<string> {
  let location = form;
  let answer = await agent.ask(
    form,
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ account }).toString(),
    },
    { board: false },
  );
  for (let hop = 0; hop < 5; hop += 1) {
    location = new URL(answer.headers.location ?? '', location).href;
    if (location.includes('/auth/callback')) return location;
    answer = await agent.ask(location, { headers: navigation }, { board: false });
  }
  throw new Error(`the realm does not lead back: ${answer.status}`);
}

/** The whole login, from a page of the board to the answer of the callback. */
export async function logIn(agent: Agent, page: string, account: string): Promise<Answer> {
  const first = await agent.ask(page, { headers: navigation });
  const callback = await toCallback(agent, await toForm(agent, first), account);
  return agent.ask(callback, { headers: navigation });
}
