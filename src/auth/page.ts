/** Template of the middleware's pages: no scripts, no external resources, one inline style allowed by its hash. */

import { createHash } from 'node:crypto';
import { escapeHtml } from '../lib/index.ts';

const style = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5a6675; --line: #c9d1da; --back: #f3f5f8; --card: #fff; --act: #1f5fd0; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebf0; --soft: #a3afbd; --line: #46515f; --back: #14181d; --card: #1d2329; --act: #7fb0ff; --bad: #ff9d94; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 24rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.25; }
p { margin: 0 0 1.25rem; color: var(--soft); }
label { display: block; margin-bottom: .375rem; font-weight: 600; }
input { width: 100%; padding: .625rem .75rem; font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 8px; }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 2px solid var(--act); outline-offset: 2px; }
[aria-invalid=true] { border-color: var(--bad); }
[role=alert] { margin: .5rem 0 0; color: var(--bad); }
button { width: 100%; margin-top: 1.25rem; padding: .625rem; font: inherit; font-weight: 600; color: var(--card); background: var(--act); border: 0; border-radius: 8px; cursor: pointer; }
a { color: var(--act); }
small { display: block; margin-top: 1.25rem; color: var(--soft); font-family: ui-monospace, monospace; }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

export const pageHeaders: readonly (readonly [name: string, value: string])[] = [
  [
    'content-security-policy',
    `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  ],
  ['x-frame-options', 'DENY'],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'same-origin'],
  ['x-robots-tag', 'noindex'],
];

/** Renders a page. `body` and `head` are HTML. */
export function page(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${head}
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}

interface Message {
  readonly title: string;
  readonly text: string;
  /** Error key of the equivalent JSON response. Absent if the page does not show an error. */
  readonly key?: string;
  readonly link: { readonly href: string; readonly text: string } | null;
}

/** Renders a page with one message and one link or button. */
export function messagePage({ title, text, key, link }: Message): string {
  const way =
    link === null ? '' : `\n<a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a>`;
  const code = key === undefined ? '' : `\n<small>${escapeHtml(key)}</small>`;
  return page(title, `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>${way}${code}`);
}
