/** The signed-in person, where the board has an authentication of its own. */

import { queryOptions } from '@tanstack/react-query';

import { uiConfig } from '../config.ts';
import { live } from '../live/loop.ts';
import type { Board } from './boards.ts';

export interface Person {
  readonly name: string;
  readonly logoutUrl: string | null;
}

function nameOf(user: unknown): string {
  if (typeof user === 'string') return user;
  const {
    name,
    username,
    preferred_username: preferred,
    email,
  } = (user ?? {}) as Record<string, unknown>;
  const found = [name, username, preferred, email].find((value) => typeof value === 'string');
  return found ?? '';
}

export const person = ({ basePath, client }: Board) =>
  queryOptions({
    queryKey: [basePath, 'person'],
    queryFn: async ({ signal }): Promise<Person> => {
      const { user, logoutUrl } = await client.call('GET /auth/me', { signal });
      return { name: nameOf(user), logoutUrl };
    },
    // Boards without an authentication of their own do not mount the route.
    enabled: uiConfig.hasAuth === true,
    // Screens that read nothing else again notice by it that the session has ended.
    meta: live,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
