/** The colours of `ui.theme`: those of each scheme, and one for both where a scheme has none. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CellWorld } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;

describeInBrowser('the colours of a host', (browser) => {
  let world: CellWorld;
  beforeAll(async () => {
    const opened = await cell?.open();
    if (!opened || 'missing' in opened) throw new Error('There is no cell.');
    world = opened;
  });
  afterAll(async () => {
    await world?.close();
  });

  it('replace those of the dashboard', async () => {
    const theme = {
      light: { bg: 'rgb(255, 250, 240)' },
      dark: { bg: 'rgb(10, 20, 30)', text: 'rgb(200, 210, 220)' },
    };
    const board = await serveBoard([(await world.queue('mail')).boardQueue()], { ui: { theme } });
    const { page, close } = await openPage(browser(), `${board.url}/`);
    await page.getByRole('rowheader').getByRole('link', { name: 'mail' }).waitFor();
    const colors = async (colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme });
      return page.evaluate(`(() => {
        const { backgroundColor, color } = getComputedStyle(document.documentElement);
        return [backgroundColor, color];
      })()`);
    };
    expect(await colors('light')).toEqual([theme.light.bg, theme.dark.text]);
    expect(await colors('dark')).toEqual([theme.dark.bg, theme.dark.text]);
    await close();
    await board.close();
  });
});
