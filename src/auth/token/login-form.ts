/** The page that asks for a token, and the page that reloads itself from the board's own origin. */

import { escapeHtml } from '../../lib/index.ts';
import { page } from '../page.ts';

interface LoginForm {
  /** Path that the form is posted to. */
  readonly action: string;
  /** Redirect target after the login. */
  readonly returnTo: string;
  /** Why the submitted token was not accepted; `null` if none was submitted. */
  readonly refusal: string | null;
}

/** Renders a form with one password field. It does not repeat the submitted token. */
export function loginForm({ action, returnTo, refusal }: LoginForm): string {
  const refused = refusal !== null;
  const alert = refused ? `\n<p id="refused" role="alert">${escapeHtml(refusal)}</p>` : '';
  const key = refused ? '\n<small>ERRORS.UNAUTHORIZED</small>' : '';
  const state = refused ? ' aria-invalid="true" aria-describedby="refused"' : '';
  return page(
    'Sign in',
    `<h1>Sign in</h1>
<p>Enter the access token of this board.</p>
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="returnTo" value="${escapeHtml(returnTo)}">
<label for="token">Access token</label>
<input id="token" name="token" type="password" required autofocus autocomplete="current-password" spellcheck="false"${state}>${alert}
<button type="submit">Sign in</button>
</form>${key}`,
  );
}

/**
 * Renders a page that reloads itself. A link on another site opens a page without the cookie; the reload comes from the
 * board's own origin and carries it.
 */
export function reloadPage(target: string): string {
  const href = escapeHtml(target);
  return page(
    'Opening the board',
    `<h1>Opening the board</h1>\n<p>One moment.</p>\n<a href="${href}">Continue</a>`,
    `\n<meta http-equiv="refresh" content="0; url=${href}">`,
  );
}
