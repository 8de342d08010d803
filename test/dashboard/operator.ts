/** An operator whose steps are counted: a click, a key, or a typed text with Enter. */

import type { Locator, Page } from 'playwright-core';

/** Somebody at a page, whose steps are counted. */
export class Operator {
  readonly page: Page;
  steps = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(role: 'button' | 'link' | 'menuitem', name: string | RegExp): Promise<void> {
    await this.clickOn(this.page.getByRole(role, { name, exact: typeof name === 'string' }));
  }

  async clickOn(part: Locator): Promise<void> {
    this.steps += 1;
    await part.click();
  }

  async press(key: string): Promise<void> {
    this.steps += 1;
    await this.page.keyboard.press(key);
  }

  /** Writes into the field that has the focus. */
  async type(text: string): Promise<void> {
    this.steps += 1;
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
  }
}
