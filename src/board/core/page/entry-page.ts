/** The page at the root of the board: queues with their counts and jobs by state, read through the API. */

import { escapeHtml } from '../../../lib/index.ts';
import { entryScript } from './entry-script.ts';
import { entryStyle } from './entry-style.ts';
import type { BoardResponse } from '../request/request.ts';

const entryPaths: readonly RegExp[] = [
  /^\/?$/,
  /^\/metrics-history$/,
  /^\/job-schedulers$/,
  /^\/queue\/[^/]+$/,
  /^\/queue\/[^/]+\/[^/]+$/,
];

/** Whether a path serves the page: the root, and the client-side routes of the dashboard. */
export function isEntryPath(path: string): boolean {
  return entryPaths.some((pattern) => pattern.test(path));
}

/** JSON that is safe inside a script element. */
function embedJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A nonce that an injected script cannot guess. */
function newNonce(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))));
}

/** The page for one request, with a nonce for its script and style. */
export function entryPage(
  uiConfig: Readonly<Record<string, unknown>> & { readonly boardTitle: string },
  basePath: string,
): BoardResponse {
  const nonce = newNonce();
  const title = escapeHtml(uiConfig.boardTitle);
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style nonce="${nonce}">${entryStyle}</style>
<body>
<header><h1>${title}</h1><a href="${escapeHtml(basePath)}/api/openapi.json">OpenAPI document</a></header>
<p id="problem" role="alert" hidden></p>
<main><section id="queues" aria-label="Queues"></section><section id="jobs" aria-label="Jobs" hidden></section></main>
<noscript>The API answers without scripts: see the OpenAPI document.</noscript>
<script type="application/json" id="config">${embedJson({ basePath, uiConfig })}</script>
<script type="module" nonce="${nonce}">${entryScript}</script>
</body>
</html>
`;
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': [
        "default-src 'none'",
        `script-src 'nonce-${nonce}'`,
        `style-src 'nonce-${nonce}'`,
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
      ].join('; '),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
    body,
  };
}
