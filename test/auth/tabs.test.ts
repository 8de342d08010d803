/** Several logins of one browser at a time: tabs, restored tabs, and the back button. */

import { describe, expect, it } from 'vitest';
import { Agent, navigation } from './support/agent.ts';
import type { Answer } from './support/agent.ts';
import { logIn, toCallback, toForm } from './support/log-in.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();
const flows = (agent: Agent) => agent.cookieNames('board_session_flow_');

/** A login that waits at the provider. */
async function begin(agent: Agent, path: string): Promise<Answer> {
  return agent.ask(`${setting.board.url}${path}`, { headers: navigation });
}

const end = async (agent: Agent, first: Answer): Promise<Answer> =>
  agent.ask(await toCallback(agent, await toForm(agent, first), 'ada'), { headers: navigation });

describe('two tabs', () => {
  it('log in side by side, each to its own page', async () => {
    setting.board.protect(setting.options());
    const agent = new Agent();
    const [one, two] = [await begin(agent, '/queue/one'), await begin(agent, '/queue/two')];
    expect(flows(agent)).toHaveLength(2);
    const first = await end(agent, one);
    expect([first.status, first.headers.location]).toEqual([302, '/admin/queues/queue/one']);
    expect(flows(agent)).toHaveLength(1);
    // The provider knows the user by now and asks nothing.
    const callback = await agent.ask(
      two.headers.location ?? '',
      { headers: navigation },
      { board: false },
    );
    const second = await agent.ask(callback.headers.location ?? '', { headers: navigation });
    expect([second.status, second.headers.location]).toEqual([302, '/admin/queues/queue/two']);
    expect(flows(agent)).toEqual([]);
  });

  it('are at most five: the oldest login gives way, and long paths to come back to sooner', async () => {
    setting.board.protect(setting.options());
    const agent = new Agent();
    const oldest = await begin(agent, '/queue/0');
    for (let tab = 1; tab < 8; tab += 1) await begin(agent, `/queue/${tab}`);
    expect(flows(agent)).toHaveLength(5);
    const late = await end(agent, oldest);
    expect(late.status).toBe(401);
    const long = new Agent();
    for (let tab = 0; tab < 8; tab += 1) await begin(long, `/queue/${'x'.repeat(900)}`);
    const characters = flows(long).map((name) => (long.cookie(name) ?? '').length);
    expect(characters.reduce((sum, length) => sum + length)).toBeLessThanOrEqual(6_000);
    expect(characters.length).toBeGreaterThan(1);
  });
});

describe('a callback beside a good session', () => {
  it('goes home when it comes again, as after the back button', async () => {
    setting.board.protect(setting.options());
    const agent = new Agent();
    const callback = await toCallback(agent, await toForm(agent, await begin(agent, '/x')), 'ada');
    expect((await agent.ask(callback)).status).toBe(302);
    const session = agent.cookie('board_session');
    const again = await agent.ask(callback, { headers: navigation });
    expect([again.status, again.headers.location, again.cookies]).toEqual([
      302,
      '/admin/queues/',
      [],
    ]);
    expect(agent.cookie('board_session')).toBe(session);
  });

  it('is refused without one, and does not end the logins of other tabs', async () => {
    setting.board.protect(setting.options());
    const agent = new Agent();
    const waiting = await begin(agent, '/queue/waiting');
    const foreign = `${setting.board.url}/auth/callback?code=x&state=${'A'.repeat(43)}`;
    expect((await agent.ask(foreign)).status).toBe(401);
    expect((await end(agent, waiting)).headers.location).toBe('/admin/queues/queue/waiting');
    await logIn(new Agent(), `${setting.board.url}/`, 'ada');
  });
});
