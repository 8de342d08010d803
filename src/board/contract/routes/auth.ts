/** The routes of the authentication middleware in front of a board; boards do not mount them. */

import * as z from 'zod';

import { anyValue } from '../json.ts';
import { reading, type RouteTable } from './route.ts';

const page = reading('auth', 'session', 'board');

/** The signed-in user in `GET /auth/me`. */
export const AuthenticatedUser = z.object({
  strategy: z.enum(['oidc', 'token', 'basic']),
  user: anyValue,
  logoutUrl: z.string().nullable(),
});

export const authRoutes = {
  getAuthenticatedUser: {
    ...page,
    path: '/auth/me',
    summary: 'The signed-in user',
    response: AuthenticatedUser,
    errors: ['UNAUTHORIZED'],
  },
  beginLogin: {
    ...page,
    path: '/auth/login',
    summary: 'Start the sign-in: the form, or a redirect to the provider',
    success: null,
  },
  submitLogin: {
    ...page,
    method: 'POST',
    access: 'write',
    path: '/auth/login',
    summary: 'Sign in with a token',
    success: 303,
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'INVALID_REQUEST_BODY'],
  },
  completeLogin: {
    ...page,
    path: '/auth/callback',
    summary: 'Callback of the provider',
    success: 302,
    errors: ['UNAUTHORIZED', 'FORBIDDEN'],
  },
  logout: {
    ...page,
    path: '/auth/logout',
    summary: 'Sign out',
    success: 302,
  },
} as const satisfies RouteTable;
