/** A clock that is set back: keys are asked for again, and caches keep no session for longer than they may. */

import { expect, it } from 'vitest';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import { memoryAuthStore } from '../../src/auth/store/memory.ts';
import { turnClockBack } from '../clock.ts';
import { Agent, ask } from './support/agent.ts';
import { basePath } from './support/board.ts';
import { logIn } from './support/log-in.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();
const hour = 3_600_000;

it('a login works after the keys were replaced and the clock was set back', async () => {
  const { board, realm } = setting;
  board.protect(setting.options());
  expect((await logIn(new Agent(), `${board.url}/`, 'ada')).status).toBe(302);
  turnClockBack(hour);
  await realm.rotateKeys();
  const agent = new Agent();
  await logIn(agent, `${board.url}/`, 'ada');
  expect((await agent.ask(`${board.url}/api`)).status).toBe(200);
});

it('a session that another instance has ended ends although the clock was set back', async () => {
  const { board } = setting;
  const store = memoryAuthStore();
  const options = setting.options({ store });
  board.protect(options);
  const agent = new Agent();
  await logIn(agent, `${board.url}/`, 'ada');
  const headers = { cookie: `board_session=${agent.cookie('board_session')}` };
  expect((await ask(`${board.url}/api`, { headers })).status).toBe(200);
  turnClockBack(hour);
  const another = createAuthMiddleware(options, { basePath });
  const logout = new Request(`${board.url}/auth/logout`, { headers });
  expect((await another.fetch(logout, () => new Response())).status).toBe(302);
  expect((await ask(`${board.url}/api`, { headers })).status).toBe(401);
});
