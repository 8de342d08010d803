/**
 * Runs the script of the entry page against the real server, without a browser. The document implements only the parts
 * that the script uses.
 */

import { send } from './serve-board.ts';

class Element {
  readonly children: (Element | string)[] = [];
  textContent = '';
  hidden = false;
  className = '';
  onclick: (() => Promise<void>) | undefined;

  append(...children: readonly (Element | string)[]): void {
    this.children.push(...children);
  }

  replaceChildren(...children: readonly (Element | string)[]): void {
    this.children.splice(0, this.children.length, ...children);
  }

  setAttribute(): void {
    // Attributes are ignored.
  }

  /** The visible text. */
  get text(): string {
    const parts = this.children.map((child) => (typeof child === 'string' ? child : child.text));
    return [this.textContent, ...parts].filter((part) => part !== '').join(' ');
  }

  find(test: (element: Element) => boolean): Element | undefined {
    if (test(this)) return this;
    for (const child of this.children) {
      const found = typeof child === 'string' ? undefined : child.find(test);
      if (found) return found;
    }
    return undefined;
  }
}

/** A page whose script has run once. */
export interface Page {
  /** Requests to the API. */
  readonly asked: readonly string[];
  text(id: string): string;
  hidden(id: string): boolean;
  /** Clicks the button with that text. */
  press(text: string): Promise<void>;
}

export async function runPage(port: number, path: string): Promise<Page> {
  const { body } = await send(port, path);
  const [, config = ''] = /id="config">(.*?)<\/script>/s.exec(body) ?? [];
  const [, script = ''] = /<script type="module"[^>]*>(.*?)<\/script>/s.exec(body) ?? [];
  const byId = new Map(['queues', 'jobs', 'problem', 'config'].map((id) => [id, new Element()]));
  const at = (id: string): Element => {
    const element = byId.get(id);
    if (!element) throw new Error(`The page has no ${id}`);
    return element;
  };
  at('config').textContent = config;
  at('jobs').hidden = true;
  at('problem').hidden = true;
  const asked: string[] = [];
  const surroundings = {
    document: { getElementById: at, createElement: () => new Element(), hidden: false },
    fetch: async (target: string) => {
      asked.push(target);
      return fetch(`http://127.0.0.1:${port}${target}`);
    },
    setInterval: () => 0,
    Node: Element,
  };
  const names = Object.keys(surroundings);
  const AsyncFunction = (async () => undefined).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<void>;
  await new AsyncFunction(...names, script)(...Object.values(surroundings));
  return {
    asked,
    text: (id) => at(id).text,
    hidden: (id) => at(id).hidden,
    async press(text) {
      const button = at('queues').find(
        (element) => element.onclick !== undefined && element.text === text,
      );
      if (!button?.onclick) throw new Error(`Button not found: ${text}`);
      await button.onclick();
    },
  };
}
