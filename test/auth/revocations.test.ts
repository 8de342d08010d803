/** Ends of sessions, in every store: their order of arrival does not count, and no check outlives one. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuthOptions, AuthStore } from '../../src/auth/index.ts';
import { Revocations } from '../../src/auth/session/revocations.ts';
import { memoryAuthStore } from '../../src/auth/store/memory.ts';
import { advanceClock } from '../clock.ts';
import { Agent, ask } from './support/agent.ts';
import { logIn } from './support/log-in.ts';
import { stores } from './support/stores.ts';
import type { OpenedStore } from './support/stores.ts';
import { secret } from './support/transcript.ts';
import { tokens } from './support/use-board.ts';
import { useRealm } from './support/use-realm.ts';

const instance = (store: AuthStore): Revocations =>
  new Revocations({ store, purpose: 'a board', maxAgeSeconds: 600 });

/** Something that one side waits for until the other side opens it. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

/** A store whose calls for ended sessions stop, once there is a gate: reads before their answer, writes before they act. */
function held(inner: AuthStore) {
  const gates: { get?: ReturnType<typeof stop>; set?: ReturnType<typeof stop> } = {};
  const isMark = (key: string): boolean => /^ended:[^:]*$/.test(key);
  const store: AuthStore = {
    claim: (key, seconds) => inner.claim(key, seconds),
    async get(key) {
      const value = await inner.get(key);
      if (isMark(key)) await gates.get?.pass();
      return value;
    },
    async set(key, value, seconds) {
      if (isMark(key)) await gates.set?.pass();
      await inner.set(key, value, seconds);
    },
  };
  return { store, gates };
}

function stop() {
  const [reached, release] = [gate(), gate()];
  return {
    reached: reached.opened,
    release: release.open,
    async pass(): Promise<void> {
      reached.open();
      await release.opened;
    },
  };
}

describe.each(Object.entries(stores))('ends of sessions in %s', (_name, open) => {
  let opened: OpenedStore | null = null;
  beforeAll(async () => void (opened = await open()));
  beforeEach((context) => void (opened === null && context.skip()));
  afterAll(() => opened?.close());
  const at = (index: 0 | 1): AuthStore => opened?.stores[index] ?? memoryAuthStore();
  /** Asked of an instance that remembers nothing. */
  const isEnded = (sub: string, since: number) =>
    instance(at(0)).isEnded({ id: `${sub} ${since}`, sub, since });

  it('count for what began in their second, or before', async () => {
    await instance(at(1)).endUser('of a second', 100);
    const sessions = [99, 100, 100.9, 101, 101.5].map((since) => isEnded('of a second', since));
    expect(await Promise.all(sessions)).toEqual([true, true, true, false, false]);
    await instance(at(1)).endProviderSession('of a second', 200);
    expect(await isEnded('of a second', 150)).toBe(false);
    const ofProvider = { id: 'i', sub: 'x', sid: 'of a second', since: 150 };
    expect(await instance(at(0)).isEnded(ofProvider)).toBe(true);
  });

  it('count for all sessions of the latest, in whatever order they come', async () => {
    const [one, two] = [instance(at(0)), instance(at(1))];
    await one.endUser('late', 200);
    await two.endUser('late', 100);
    await one.endUser('late', 100);
    expect(await isEnded('late', 150)).toBe(true);
    const many = Array.from({ length: 12 }, (_, turn) => ((turn * 5) % 12) + 1);
    await Promise.all(many.map((time, turn) => (turn % 2 ? one : two).endUser('together', time)));
    expect(await Promise.all([isEnded('together', 12), isEnded('together', 13)])).toEqual([
      true,
      false,
    ]);
  });

  it('are compared by one instance at a time', async () => {
    const { store, gates } = held(at(0));
    // The older one has compared, and writes after the newer one has come.
    gates.set = stop();
    const older = instance(store).endUser('crossed', 100);
    await gates.set.reached;
    const waits = gate();
    const watched: AuthStore = {
      ...at(1),
      async claim(key, seconds) {
        const claimed = await at(1).claim(key, seconds);
        if (!claimed) waits.open();
        return claimed;
      },
    };
    const newer = instance(watched).endUser('crossed', 200);
    await Promise.race([newer, waits.opened]);
    gates.set.release();
    await Promise.all([older, newer]);
    expect(await isEnded('crossed', 150)).toBe(true);
  });

  it('count at once in their process, for what the store was asked before', async () => {
    const { store, gates } = held(at(0));
    const revocations = instance(store);
    const session = { id: 'asked before', since: 100 };
    for (const call of ['get', 'set'] as const) {
      const own = { ...session, id: `${session.id} ${call}` };
      const held = (gates[call] = stop());
      const first = call === 'get' ? revocations.isEnded(own) : revocations.end(own);
      await held.reached;
      const second = call === 'get' ? revocations.end(own) : revocations.isEnded(own);
      await second;
      held.release();
      await first;
      delete gates[call];
      expect([call, await revocations.isEnded(own)]).toEqual([call, true]);
    }
  });
});

it('are compared again once it is their turn, and not at all where a later one is kept', async () => {
  const inner = memoryAuthStore();
  const claimed: string[] = [];
  const counting: AuthStore = {
    ...inner,
    claim(key, seconds) {
      claimed.push(key);
      return inner.claim(key, seconds);
    },
  };
  const { store, gates } = held(counting);
  const read = (gates.get = stop());
  // The older one has read that none is kept when the newer one comes, which also frees its turn.
  const older = instance(store).endUser('ada', 100);
  await read.reached;
  await instance(counting).endUser('ada', 200);
  advanceClock(1_100);
  delete gates.get;
  read.release();
  await older;
  const session = { id: 'i', sub: 'ada', since: 150 };
  expect(await instance(inner).isEnded(session)).toBe(true);
  expect(claimed.length).toBe(2);
  for (const before of [150, 200]) await instance(counting).endUser('ada', before);
  expect(claimed.length).toBe(2);
});

it('are written to a store of the host that knows whole seconds only', async () => {
  const inner = memoryAuthStore();
  const whole = (seconds: number): number => {
    if (!Number.isInteger(seconds)) throw new Error('ERR value is not an integer');
    return seconds;
  };
  const revocations = instance({
    ...inner,
    claim: async (key, seconds) => inner.claim(key, whole(seconds)),
    set: async (key, value, seconds) => inner.set(key, value, whole(seconds)),
  });
  await revocations.endUser('ada', 100);
  await revocations.end({ id: 'i', since: 100 });
  expect(await revocations.isEnded({ id: 'other', sub: 'ada', since: 100 })).toBe(true);
});

it('an instance that stopped in the middle of a comparison does not hold up the others', async () => {
  const inner = memoryAuthStore();
  const { store, gates } = held(inner);
  gates.set = stop();
  void instance(store).endUser('ada', 100);
  await gates.set.reached;
  advanceClock(2_100);
  await instance(inner).endUser('ada', 200);
  const revocations = instance(inner);
  expect(await revocations.isEnded({ id: 'i', sub: 'ada', since: 150 })).toBe(true);
});

describe('a session whose check is under way at its logout', () => {
  const setting = useRealm();
  const cookie = { secret: secret('the cookie secret of the revocation tests') };

  it.each(['oidc', 'token'] as const)('of %s is not let in once more', async (strategy) => {
    const { board } = setting;
    const { store, gates } = held(memoryAuthStore());
    const options: AuthOptions =
      strategy === 'oidc'
        ? setting.options({ store, cookie })
        : { strategy, tokens: [...tokens], store, cookie };
    board.protect(options);
    const agent = new Agent();
    if (strategy === 'oidc') await logIn(agent, `${board.url}/`, 'ada');
    else {
      await agent.ask(`${board.url}/auth/login`, {
        method: 'POST',
        headers: {
          origin: board.origin,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: `token=${tokens[0]}`,
      });
    }
    const headers = { cookie: `board_session=${agent.cookie('board_session')}` };
    const status = async (): Promise<number> => (await ask(`${board.url}/api`, { headers })).status;
    gates.get = stop();
    const asked = status();
    await gates.get.reached;
    expect((await ask(`${board.url}/auth/logout`, { headers })).status).toBe(302);
    gates.get.release();
    delete gates.get;
    expect(await asked).toBe(200);
    expect(await status()).toBe(401);
  });
});
