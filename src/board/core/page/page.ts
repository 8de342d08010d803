/** The document of the dashboard: tags with absolute paths, a nonce per response, and the configuration as JSON. */

import { escapeHtml } from '../../../lib/index.ts';
import type { DashboardEntry } from './dashboard-assets.ts';
import type { BoardResponse } from '../request/request.ts';

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

/** The parts of the document. */
export interface PageParts {
  readonly entry: DashboardEntry;
  readonly uiConfig: Readonly<Record<string, unknown>> & { readonly boardTitle: string };
  /** Path under which browsers find the board. */
  readonly basePath: string;
  /** Path and name of a page that answers browsers without JavaScript. Default: the board's OpenAPI document. */
  readonly instead?: { readonly path: string; readonly name: string };
}

const openApi = { path: '/api/openapi.json', name: 'OpenAPI document' };

/** The document for one request. */
export function page({ entry, uiConfig, basePath, instead = openApi }: PageParts): BoardResponse {
  const nonce = newNonce();
  const at = (path: string): string => escapeHtml(basePath + path);
  const tags = [
    // Vite gives this nonce to the styles and preloads that it adds.
    `<meta property="csp-nonce" nonce="${nonce}">`,
    `<title>${escapeHtml(uiConfig.boardTitle)}</title>`,
    entry.icon && `<link rel="icon" href="${at(entry.icon)}">`,
    `<script type="application/json" id="config">${embedJson({ basePath, uiConfig })}</script>`,
    // Before the style sheets, which a script waits for.
    entry.boot && `<script nonce="${nonce}">${entry.boot}</script>`,
    ...entry.styles.map((path) => `<link rel="stylesheet" nonce="${nonce}" href="${at(path)}">`),
    ...entry.preloads.map(
      (path) => `<link rel="modulepreload" nonce="${nonce}" href="${at(path)}">`,
    ),
    ...entry.scripts.map(
      (path) => `<script type="module" nonce="${nonce}" src="${at(path)}"></script>`,
    ),
  ];
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
        "img-src 'self' data:",
        "font-src 'self'",
        "require-trusted-types-for 'script'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
      ].join('; '),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${tags.filter(Boolean).join('\n')}
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. The API answers without it: <a href="${at(instead.path)}">${escapeHtml(instead.name)}</a>.</noscript>
</body>
</html>
`,
  };
}
