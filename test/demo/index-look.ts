/** The index page as a part of the product: filter text, themes, languages, no violation, no request elsewhere. */

import type { Browser } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeViolations } from '../dashboard/axe.ts';
import { openPage } from '../dashboard/open-page.ts';
import type { RunningDemo } from './start-demo.ts';

/** Declares the tests of the page's looks. */
export function indexLook(demo: () => RunningDemo, browser: () => Browser): void {
  const open = (hash: string, options = {}) =>
    openPage(browser(), `${demo().origin}/#${hash}`, { reducedMotion: 'reduce', ...options });

  it('takes a filter as text, completes it, and shows an error at its place', async () => {
    const { page, complaints, close } = await open('/pg/cities');
    const filter = page.getByRole('combobox', { name: 'Filter', exact: true });
    await filter.fill('country.na');
    await page
      .getByRole('listbox', { name: 'What may be written here' })
      .getByRole('option', { name: 'country.name', exact: true })
      .waitFor();
    await filter.fill('country.name = Japan and population >= 2000000');
    await filter.press('Enter');
    await page.getByRole('cell', { name: 'Tokyo', exact: true }).waitFor();
    expect(await page.getByLabel('Query string of the request').inputValue()).toBe(
      'filter[country.name][eq]=Japan&filter[population][gte]=2000000',
    );
    expect(await page.getByLabel('Value for population').inputValue()).toBe('2000000');
    await filter.fill('population >= many');
    await filter.press('Enter');
    await page.getByRole('alert').getByText('many').waitFor();
    // The form changes the text as well.
    await page.getByRole('button', { name: 'Remove the filter on country.name' }).click();
    await expect.poll(() => filter.inputValue()).toBe('population >= 2000000');
    expect(complaints).toEqual([]);
    await close();
  });

  it('links to both boards, and each board links back', async () => {
    const { page, complaints, close } = await open('/pg/countries');
    await page.getByRole('link', { name: 'pg-boss queues' }).click();
    await page.getByRole('table', { name: 'Queues' }).locator('tbody tr').first().waitFor();
    await page.getByRole('link', { name: 'List requests' }).click();
    await page.getByRole('link', { name: 'BullMQ queues' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('speaks the language of the browser, right to left where it is written so', async () => {
    const { page, complaints, close } = await open('/pg/countries', { locale: 'ar' });
    await page.getByRole('heading', { name: 'الاستجابة' }).waitFor();
    expect(await page.evaluate('document.documentElement.dir')).toBe('rtl');
    await page.getByRole('combobox', { name: 'اللغة' }).selectOption('de');
    await page.getByRole('heading', { name: 'Antwort' }).waitFor();
    expect(await page.evaluate('document.documentElement.dir')).toBe('ltr');
    expect(complaints).toEqual([]);
    await close();
  });

  it.each([
    { look: 'light', options: { colorScheme: 'light' } },
    { look: 'dark', options: { colorScheme: 'dark' } },
    { look: 'phone', options: { viewport: { width: 390, height: 844 } } },
  ])('has no violation ($look)', async ({ options }) => {
    const { page, complaints, close } = await open(
      '/pg/cities?filter[population][gte]=1000000&sort=-population&includes=country',
      options,
    );
    await page.getByText('same response from both').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'JSON' }).click();
    await page.getByLabel('Query string of the request').fill('sort=none');
    await page.keyboard.press('Enter');
    await page.getByText('Refused before any statement ran.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  });

  it('is served with a policy of nonces and Trusted Types', async () => {
    const { headers } = await fetch(`${demo().origin}/`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'nonce-[\w+/=]+'/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
  });
}
