/**
 * The index page in a real browser: controls derived from the rules, and real responses.
 *
 * With `DEMO_SCREENSHOT=1` it loads all cities and writes `docs/images/demo.webp`.
 */

import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { savePicture } from '../../tools/picture.ts';
import type { RunningDemo } from './start-demo.ts';

/** The image that a run writes; null in an ordinary one. */
export const screenshot = process.env['DEMO_SCREENSHOT']
  ? fileURLToPath(new URL('../../docs/images/demo.webp', import.meta.url))
  : null;

/** Declares the tests of the index page. */
export function indexPage(demo: () => RunningDemo, browser: () => Browser): void {
  let page: Page;
  let pageErrors: string[];

  beforeEach(async () => {
    page = await browser().newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(60_000);
    pageErrors = [];
    page.on('console', (message) => pageErrors.push(message.text()));
    page.on('pageerror', (error) => pageErrors.push(error.message));
  });

  afterEach(async () => {
    await page.close();
    if (pageErrors.length > 0)
      throw new Error(`The page reports errors:\n${pageErrors.join('\n')}`);
  });

  const status = () => page.locator('#status');
  const rows = () => page.locator('#answer tbody tr');
  const open = (hash: string) => page.goto(`${demo().origin}/#${hash}`);
  const query = () => page.getByLabel('Query string of the request').inputValue();
  const compared = () => status().getByText('same response from both').waitFor();

  it('sends the request of its controls: filter, sort, include', async () => {
    await open('/pg/cities');
    await page.getByLabel('Add a filter').selectOption('country.languages.name');
    await page.getByLabel('Operator for country.languages.name').selectOption('eq');
    await page.getByLabel('Value for country.languages.name').fill('Japanese');
    await page.getByLabel('Add a sort').selectOption('population');
    await page.getByLabel('population: ascending; reverse').click();
    await page.getByLabel('country one').check();
    await rows().first().getByText('Japan').waitFor();
    await compared();

    expect(await rows().first().innerText()).toMatch(/Tokyo\s+8,336,599/);
    expect(await query()).toBe(
      'filter[country.languages.name][eq]=Japanese&sort=-population&includes=country',
    );
    expect(decodeURI(page.url())).toContain(`/#/pg/cities?${await query()}`);
    expect(await page.locator('#sql').innerText()).toMatch(/exists[\s\S]+"country_languages"/);
    expect(await page.locator('#sql').innerText()).toContain('parameters ["Japanese"]');
    expect(await page.locator('#plan').innerText()).toContain('"country.languages.name"');
  });

  it('offers exactly the paths, operators, sorts and includes of the rules', async () => {
    const response = await fetch(`${demo().origin}/meta`);
    const { endpoints } = JSON.parse(await response.text());
    for (const { database, list, filters, sorts, includes } of endpoints) {
      await open(`/${database}/${list}`);
      await page.locator('#path', { hasText: `/${database}/${list}` }).waitFor();
      const offered = (label: string) =>
        page
          .getByLabel(label, { exact: true })
          .locator('option:not([value=""])')
          .evaluateAll((options) => options.map((option) => option.getAttribute('value')));
      const paths = (rules: readonly { path: string }[]) =>
        rules.map(({ path }) => path).toSorted();
      expect((await offered('Add a filter')).toSorted()).toEqual(paths(filters));
      expect(await offered('Add a sort')).toEqual(sorts);
      expect(await page.locator('#form input[type=checkbox]').count()).toBeGreaterThanOrEqual(
        includes.length,
      );
    }
  });

  it('navigates by page number and by cursor, with buttons and keys', async () => {
    await open('/sqlite/cities?sort=-population');
    const first = await rows().first().innerText();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('Page 2 of').waitFor();
    const second = await rows().first().innerText();
    expect(second).not.toBe(first);
    await page.keyboard.press('p');
    await page.getByText('Page 1 of').waitFor();

    await page.getByLabel('Keyset, by cursor').check();
    await page.getByText('By cursor', { exact: true }).waitFor();
    expect(await rows().first().innerText()).toBe(first);
    expect(await page.getByRole('button', { name: 'Previous page' }).isDisabled()).toBe(true);
    await page.locator('h2', { hasText: 'Response' }).click();
    await page.keyboard.press('n');
    await rows()
      .first()
      .getByText(second.split('\t')[1] ?? '')
      .waitFor();
    await page.getByRole('button', { name: 'Previous page' }).click();
    await rows()
      .first()
      .getByText(first.split('\t')[1] ?? '')
      .waitFor();
  });

  it('searches in any script, and supports the back button', async () => {
    await open('/pg/countries');
    await page.getByText('250 rows').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('ελλάδα');
    await page.getByText('1 row').waitFor();
    expect(await rows().first().innerText()).toContain('Greece');
    await page.getByRole('button', { name: 'languages', exact: true }).click();
    await page.getByText('153 rows').waitFor();
    await page.goBack();
    await page.getByText('1 row').waitFor();
    expect(await query()).toBe('search=ελλάδα');
  });

  it('shows the error of a refused request', async () => {
    await open('/pg/cities');
    await page.getByLabel('Query string of the request').fill('filter[population][gte]=many');
    await page.keyboard.press('Enter');
    await status().getByText('400 FILTER_VALUE_INVALID').waitFor();
    await page.getByText('Refused before any statement ran.').waitFor();
    await page.getByLabel('Query string of the request').fill('sort=nameFolded&__proto__=1');
    await page.keyboard.press('Enter');
    await status().getByText('400 QUERY_SYNTAX_UNKNOWN_PARAM').waitFor();
    expect(await page.locator('#form').innerText()).toContain('sort=nameFolded');
  });

  it('shows a response for every example', async () => {
    await open('/pg/cities');
    const choice = page.locator('#examples');
    await choice.waitFor();
    // The examples arrive after their list.
    await expect.poll(() => choice.locator('option').count()).toBeGreaterThan(10);
    const count = await choice.locator('option').count();
    for (let index = 0; index < count - 1; index += 1) {
      await choice.selectOption(String(index));
      await compared();
      expect(await page.locator('#form fieldset').count()).toBeGreaterThan(4);
    }
    if (!screenshot) return;
    await page.goto(`${demo().origin}/?`);
    await compared();
    await page.locator('body:not(.loading)').waitFor();
    await savePicture(page, screenshot);
  });

  it('fits a phone without scrolling sideways', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open('/sqlite/countries?includes=languages,borders');
    await rows().first().waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(360);
  });
}
