/** Parts of the page that are loaded when they are first shown. While the network is away they are waited for. */

import { lazy } from 'react';
import type { ComponentType, LazyExoticComponent } from 'react';

import { keyText } from '../api/error-text.ts';
import { basePath } from '../config.ts';
import { tell } from './notices.ts';

const pauseMs = 1_000;

const answers = (): Promise<boolean> =>
  fetch(`${basePath}/`, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status < 500,
    () => false,
  );

/** Loads the styles that have failed once more: those of a part are asked for once. */
const loadStyles = (): Promise<unknown> =>
  Promise.all(
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
      .filter(({ sheet }) => sheet === null)
      .map(
        (link) =>
          new Promise((resolve, reject) => {
            const again = document.createElement('link');
            again.rel = link.rel;
            again.href = link.href;
            again.addEventListener('load', resolve);
            again.addEventListener('error', reject);
            link.replaceWith(again);
          }),
      ),
  );

/** Loads a part: without an answer of the board it tries again, because a failure would last as long as the page. */
export const patient =
  <Part>(load: () => Promise<Part>): (() => Promise<Part>) =>
  async () => {
    for (let tries = 0; ; tries += 1) {
      try {
        if (tries > 0) await loadStyles();
        return await load();
      } catch (error) {
        // A board that answers is another version of it, whose page has to be loaded again.
        if (tries > 0 && (await answers())) throw error;
        if (tries === 1) tell({ text: keyText('UNREACHABLE'), tone: 'danger' });
        await new Promise((resolve) => {
          setTimeout(resolve, pauseMs);
        });
      }
    }
  };

/** A component of a module that is loaded when it is first shown. */
export const part = <Name extends string, Props>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(patient(async () => ({ default: (await load())[name] })));
