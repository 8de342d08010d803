/** The appearance of a board: what the page is told, and values that are refused. */

import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createBoard } from '../../../src/board/index.ts';
import type { BoardUi } from '../../../src/board/index.ts';
import { shownUi } from '../../../src/board/core/page/ui-options.ts';

const create = (ui: object): unknown =>
  createBoard({ serverAdapter: { attach: () => undefined }, auth: false, options: { ui } });

const full: BoardUi = {
  boardTitle: 'Jobs',
  boardLogo: { path: '/logo.svg', width: 20 },
  miscLinks: [{ text: 'Runbook', url: 'https://example.com/runbook', icon: '/book.svg' }],
  hideDocsLink: true,
  queueSortOptions: [{ key: 'failed', label: 'Failures' }],
  favIcon: { default: '/icon.svg', alternative: '/icon.png' },
  locale: { lng: 'de-CH' },
  dateFormats: { short: { timeStyle: 'short' }, full: { dateStyle: 'long' } },
  pollingInterval: { showSetting: false, forceInterval: 2.5 },
  menu: { width: '20rem' },
  overview: { groupByDelimiter: true },
  jobDetails: { defaultTab: 'Logs' },
  sortQueues: true,
  showMetrics: true,
  environment: { label: 'production', color: 'red', textColor: '#fff', fontSize: '12px' },
  theme: { light: { accent: 'oklch(60% 0.2 250)', flash: '#ff0' }, dark: {} },
  boards: [{ title: 'Jobs', basePath: '/jobs', engine: 'pgq' }],
};

it('tells every field to the page', () => {
  expect(() => create(full)).not.toThrow();
  expect(shownUi(full)).toEqual(full);
  expect(shownUi({})).toEqual({
    boardTitle: 'Sluice',
    miscLinks: [],
    hideDocsLink: false,
    overview: { groupByDelimiter: false },
    sortQueues: false,
  });
});

it.each<readonly [object, RegExp]>([
  [{ boardLogo: { path: 'javascript:alert(1)' } }, /"ui\.boardLogo\.path" must be an address/],
  [{ boardLogo: {} }, /path/],
  [{ miscLinks: [{ text: 'x', url: 'data:text/html,x' }] }, /url/],
  [{ miscLinks: [{ text: '', url: '/x' }] }, /text/],
  [{ favIcon: { default: 'javascript:1' } }, /default/],
  [{ locale: { lng: 'not a language' } }, /language tag/],
  [{ dateFormats: { short: { timeStyle: 'tiny' } } }, /Intl\.DateTimeFormat/],
  [{ pollingInterval: { forceInterval: -1 } }, /forceInterval/],
  [{ jobDetails: { defaultTab: 'Secrets' } }, /defaultTab/],
  [{ environment: { color: 'red' } }, /label/],
  [{ theme: { light: { accent: 7 } } }, /"ui\.theme\.light\.accent" must be a CSS value/],
  [{ theme: { dark: { accent: 'red;}' } } }, /"ui\.theme\.dark\.accent" must be a CSS value/],
  [{ theme: { dark: { acent: 'red' } } }, /acent.*accent/],
  [{ environment: { label: 'x', color: 'red}' } }, /"ui\.environment\.color" must be a CSS value/],
  [{ environment: { label: 'x', textColor: '<' } }, /textColor/],
  [{ environment: { label: 'x', fontSize: '9px;' } }, /fontSize/],
  [{ thme: {} }, /thme/],
])('refuses %j', (ui, message) => {
  expect(() => create(ui)).toThrow(message);
});

it('has the colours of the style sheet', async () => {
  const sheet = await readFile('src/dashboard/styles/tokens.css', 'utf8');
  const names = [...sheet.matchAll(/--([\w-]+): light-dark/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(20);
  for (const name of names) {
    expect(() => create({ theme: { dark: { [String(name)]: 'red' } } })).not.toThrow();
  }
});
