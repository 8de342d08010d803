/** The state of the datastores over HTTP, and the page in front of a board whose datastores have not answered yet. */

import { createHash } from 'node:crypto';
import { acceptsHtml, escapeHtml } from '../../lib/index.ts';
import { BoardError } from '../../board/core/index.ts';
import type { BoardResponse } from '../../board/index.ts';
import type { SourceStatus } from './boot.ts';

/** Seconds after which the page and clients ask again. */
const retryAfter = 3;

/** `GET /api/status`: 200 once every datastore has answered, 503 before. */
export function statusResponse(sources: readonly SourceStatus[]): BoardResponse {
  const isReady = sources.every(({ state }) => state === 'ready');
  const isDegraded = sources.some(({ state }) => state === 'degraded');
  const status = isReady ? 'ready' : isDegraded ? 'degraded' : 'connecting';
  return {
    status: isReady ? 200 : 503,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...(!isReady && { 'retry-after': String(retryAfter) }),
    },
    body: JSON.stringify({ status, sources }),
  };
}

/** The answer of a board that has a datastore which is not ready: a page for browsers, else the error of the API. */
export function gateResponse(
  sources: readonly SourceStatus[],
  accept: string | undefined,
): BoardResponse {
  const headers = { 'cache-control': 'no-store', 'retry-after': String(retryAfter) };
  if (!acceptsHtml(accept)) {
    const isSql = sources.find(({ state }) => state !== 'ready')?.datastore === 'sql';
    return {
      status: 503,
      headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(new BoardError(isSql ? 'SQL_UNAVAILABLE' : 'KV_UNAVAILABLE')),
    };
  }
  return { status: 503, headers: { ...headers, ...pageHeaders }, body: gatePage(sources) };
}

const style = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5a6675; --line: #c9d1da; --back: #f3f5f8; --card: #fff; --good: #1a7f4b; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebf0; --soft: #a3afbd; --line: #46515f; --back: #14181d; --card: #1d2329; --good: #6fd39d; --bad: #ff9d94; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 40rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.25; }
p { margin: 0; color: var(--soft); }
dl { margin: 1.25rem 0; }
dt { margin-top: .75rem; font-weight: 600; overflow-wrap: anywhere; }
dd { margin: 0; overflow-wrap: anywhere; }
.ready { color: var(--good); }
.connecting, .degraded { color: var(--bad); }
`;

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

const words: Readonly<Record<SourceStatus['state'], string>> = {
  ready: 'Ready.',
  connecting: 'Cannot be reached',
  degraded: 'Answers, but cannot be used',
};

function gatePage(sources: readonly SourceStatus[]): string {
  const title = sources.some(({ state }) => state === 'degraded')
    ? 'A datastore refuses the board'
    : 'Waiting for a datastore';
  const rows = sources.map(({ name, address, state, error }) => {
    const why = error === undefined ? words[state] : `${words[state]}: ${error}`;
    return `<dt>${escapeHtml(name)} <small>${escapeHtml(address)}</small></dt>
<dd class="${state}">${escapeHtml(why)}</dd>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="${retryAfter}">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<dl>
${rows.join('\n')}
</dl>
<p>The board tries again every ${retryAfter} seconds, and this page with it.</p>
</main>
</body>
</html>
`;
}
