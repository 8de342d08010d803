/** Every screen, dialog and menu of the dashboard, and how a person comes to it. */

import type { Page } from 'playwright-core';
import type { ShownBoards } from './boards.ts';

export interface ShownScreen {
  readonly name: string;
  readonly engine: 'kvq' | 'pgq';
  readonly path: (boards: ShownBoards) => string;
  /** Brings it about, and resolves when it is there. */
  readonly ready: (page: Page) => Promise<unknown>;
}

type Step = (page: Page) => Promise<unknown>;

const rows: Step = (page) => page.locator('tbody tr').nth(1).waitFor();
const heading: Step = (page) => page.locator('main h1').waitFor();
const dialog: Step = (page) => page.getByRole('dialog').waitFor();
const steps =
  (...all: readonly Step[]): Step =>
  async (page) => {
    for (const step of all) await step(page);
  };
const click =
  (role: 'button' | 'menuitem' | 'link', name: string | RegExp): Step =>
  (page) =>
    page.getByRole(role, { name, ...(typeof name === 'string' && { exact: true }) }).click();
const press =
  (keys: string): Step =>
  (page) =>
    page.keyboard.press(keys);
const menu: Step = (page) => page.getByRole('menuitem').first().waitFor();
/** Closed at first in a narrow window. */
const timeline: Step = async (page) => {
  const button = page.getByRole('button', { name: 'Timeline', exact: true });
  await button.waitFor();
  if ((await button.getAttribute('aria-pressed')) !== 'true') await button.click();
  await page.getByRole('region', { name: 'Timeline' }).waitFor();
};
const failedJob: Step = (page) => page.getByRole('region', { name: 'Error' }).waitFor();

const kvq = (name: string, path: string | ShownScreen['path'], ready: Step): ShownScreen => ({
  name,
  engine: 'kvq',
  path: typeof path === 'string' ? () => path : path,
  ready,
});
const pgq = (name: string, path: string | ShownScreen['path'], ready: Step): ShownScreen => ({
  ...kvq(name, path, ready),
  engine: 'pgq',
});

const failedPath = ({ failed }: ShownBoards) => `/queue/mail/${failed}`;
const partOfJob = (name: string): ShownScreen =>
  kvq(
    `job: ${name.toLowerCase()}`,
    failedPath,
    steps(failedJob, click('button', name), press('Escape')),
  );

export const screens: readonly ShownScreen[] = [
  kvq('overview', '/', rows),
  kvq('overview: menu of a queue', '/', steps(rows, click('button', 'Actions of mail'), menu)),
  kvq(
    'overview: pause of all',
    '/',
    steps(
      rows,
      click('button', 'Actions of the queues shown'),
      click('menuitem', /^Pause \d+ queues/),
      dialog,
    ),
  ),
  kvq('queue', '/queue/mail?state=failed', rows),
  kvq(
    'queue: selection',
    '/queue/mail?state=failed',
    steps(
      rows,
      (page) => page.getByRole('checkbox').nth(1).check(),
      (page) => page.getByRole('region', { name: 'Selected jobs' }).waitFor(),
    ),
  ),
  kvq(
    'queue: filter',
    '/queue/mail?state=failed',
    steps(
      rows,
      (page) => page.getByRole('combobox', { name: 'Filter jobs' }).fill('na'),
      (page) => page.getByRole('option').first().waitFor(),
    ),
  ),
  kvq(
    'queue: menu',
    '/queue/mail?state=failed',
    steps(rows, click('button', 'Actions of mail'), menu),
  ),
  kvq(
    'queue: columns',
    '/queue/mail?state=failed',
    steps(rows, click('button', 'Columns'), dialog),
  ),
  kvq('queue: timeline', '/queue/mail', timeline),
  kvq(
    'queue: removal of all',
    '/queue/mail?state=failed',
    steps(rows, click('button', /^Remove all/), dialog),
  ),
  kvq(
    'queue: empty',
    '/queue/mail',
    steps(rows, click('button', 'Actions of mail'), click('menuitem', 'Empty…'), dialog),
  ),
  kvq('queue: no jobs', '/queue/shop-parcels?state=failed', (page) =>
    page.getByText('No failed jobs.').waitFor(),
  ),
  kvq('queue: missing', '/queue/none', (page) =>
    page.getByText('There is no such queue.').waitFor(),
  ),
  kvq('queue: add a job', '/queue/mail', steps(rows, click('button', 'Add job'), dialog)),
  kvq('queue: workers', '/queue/mail?tab=workers', (page) =>
    page.getByRole('columnheader', { name: 'address' }).waitFor(),
  ),
  kvq('queue: settings', '/queue/mail?tab=settings', (page) =>
    page.getByLabel('Jobs at once').waitFor(),
  ),
  kvq('job', failedPath, failedJob),
  ...['Options', 'Logs', 'Flow', 'Raw'].map(partOfJob),
  kvq('job: menu', failedPath, steps(failedJob, click('button', 'More actions'), menu)),
  kvq('job: edit', failedPath, steps(failedJob, click('button', 'Edit'), dialog)),
  kvq(
    'job: duplicate',
    failedPath,
    steps(failedJob, click('button', 'More actions'), click('menuitem', 'Duplicate…'), dialog),
  ),
  kvq('job: delayed', ({ delayed }) => `/queue/mail/${delayed}`, heading),
  kvq(
    'job: beside another',
    ({ failed, delayed }) => `/queue/mail/${failed}?with=${delayed}`,
    heading,
  ),
  kvq('job: missing', '/queue/mail/none', (page) =>
    page.getByText('There is no such job.').waitFor(),
  ),
  kvq('schedules', '/job-schedulers', rows),
  kvq(
    'schedules: edit',
    '/job-schedulers',
    steps(rows, click('button', 'Edit nightly'), dialog, (page) =>
      page.getByRole('dialog').locator('tbody tr').nth(4).waitFor(),
    ),
  ),
  kvq('schedules: new', '/job-schedulers', steps(rows, click('button', 'New schedule'), dialog)),
  kvq(
    'schedules: remove',
    '/job-schedulers',
    steps(rows, click('button', 'Remove nightly'), dialog),
  ),
  kvq('metrics', '/metrics-history?range=24h', (page) => page.locator('.uplot').nth(2).waitFor()),
  kvq(
    'metrics: delete',
    '/metrics-history?queue=mail&range=24h',
    steps(click('button', 'Delete history…'), dialog),
  ),
  kvq('errors', '/errors', (page) => page.locator('tbody tr').first().waitFor()),
  pgq('errors of pg-boss', '/errors', (page) => page.locator('tbody tr').first().waitFor()),
  kvq('workers', '/workers', (page) =>
    page.getByRole('row').filter({ hasText: 'mail' }).first().waitFor(),
  ),
  kvq('workers: no match', '/workers?q=absent', (page) =>
    page.getByText('No worker matches.').waitFor(),
  ),
  kvq(
    'find',
    '/',
    steps(rows, press('/'), (page) =>
      page.getByRole('dialog').getByRole('option').first().waitFor(),
    ),
  ),
  kvq('keys', '/', steps(rows, press('?'), dialog)),
  kvq('settings', '/', steps(rows, click('button', 'Settings'), dialog)),
  kvq('views', '/', steps(rows, press('v'), dialog)),
  pgq('overview of pg-boss', '/', rows),
  pgq('queue of pg-boss', '/queue/letters', rows),
  pgq('queue of pg-boss: timeline', '/queue/letters', timeline),
  pgq(
    'queue of pg-boss: columns',
    '/queue/letters',
    steps(rows, click('button', 'Columns'), dialog),
  ),
  pgq(
    'queue of pg-boss: filter',
    '/queue/letters',
    steps(
      rows,
      (page) => page.getByRole('combobox', { name: 'Filter jobs' }).fill('er'),
      (page) => page.getByRole('option').first().waitFor(),
    ),
  ),
  pgq(
    'queue of pg-boss: selection',
    '/queue/letters',
    steps(
      rows,
      (page) => page.getByRole('checkbox').nth(1).check(),
      (page) => page.getByRole('region', { name: 'Selected jobs' }).waitFor(),
    ),
  ),
  pgq(
    'queue of pg-boss: menu',
    '/queue/letters',
    steps(rows, click('button', 'Actions of letters'), menu),
  ),
  ...['waiting', 'finished'].map((jobs) =>
    pgq(
      `queue of pg-boss: removal of ${jobs} jobs`,
      '/queue/letters',
      steps(
        rows,
        click('button', 'Actions of letters'),
        click('menuitem', `Delete ${jobs} jobs…`),
        dialog,
      ),
    ),
  ),
  pgq(
    'queue of pg-boss: add a job',
    '/queue/letters',
    steps(rows, click('button', 'Add job'), dialog),
  ),
  pgq('job of pg-boss', ({ pgqFailed }) => `/queue/letters/${pgqFailed}`, failedJob),
  pgq('schedules of pg-boss', '/schedules', (page) =>
    page.getByRole('row', { name: /nightly/ }).waitFor(),
  ),
  pgq('schedules of pg-boss: new', '/schedules', steps(click('button', 'New schedule'), dialog)),
  pgq('warnings', '/warnings', rows),
  pgq(
    'warnings: details',
    '/warnings',
    steps(rows, (page) => page.locator('summary').first().click()),
  ),
  pgq('workers of pg-boss', '/workers', (page) =>
    page
      .getByText(/^no heartbeat for/)
      .first()
      .waitFor(),
  ),
];

/** The screen of that name. */
export function screenNamed(name: string): ShownScreen {
  const found = screens.find((screen) => screen.name === name);
  if (!found) throw new Error(`There is no screen ${name}.`);
  return found;
}
