/** How Vite bundles a page. */

import path from 'node:path';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import react from '@vitejs/plugin-react';
import type { InlineConfig, Plugin } from 'vite';

/** Compiles catalogues of messages, so that the browser needs no parser for them. */
const catalogues: Plugin = {
  name: 'catalogues',
  enforce: 'pre',
  transform(code, id) {
    if (!/\/i18n\/messages\/.*\.json$/.test(id)) return null;
    const messages = Object.entries(JSON.parse(code) as Record<string, string>);
    return {
      code: JSON.stringify(
        Object.fromEntries(messages.map(([key, text]) => [key, compileMessage(text)])),
      ),
      map: null,
    };
  },
};

/**
 * Small modules that the first load needs and that other screens share: in one chunk they compress better than in one
 * for each set of screens that uses them.
 */
const atFirst =
  /\/src\/dashboard\/(?:actions|api|format|kit\/(?:button|copy|dialog|filter|icon|notices|panel|patient|row-height|spark|states|table|text|title)(?=\.ts)|live\/(?:clock|steady-rows|strip|loop|shared-(?:rows|value))|overview\/(?:data|rows|overview\.module)|queue\/queue-commands)\b/;

/** Preact in the place of React, which alone would be almost half of the script of a page. */
const preact = [
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react-dom$/, replacement: 'preact/compat' },
  { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react$/, replacement: 'preact/compat' },
];

/** `folder` is that of the page, with its `main.tsx`. */
export function pageConfig(root: string, folder: string): InlineConfig {
  const source = path.join(root, folder);
  return {
    configFile: false,
    root: source,
    // Files are found beside each other, whatever the base path of the board is.
    base: './',
    logLevel: 'warn',
    publicDir: false,
    cacheDir: path.join(root, '.scratch/vite'),
    plugins: [catalogues, react()],
    json: { namedExports: false },
    resolve: { alias: preact },
    build: {
      write: false,
      // The first browsers with `light-dark()`.
      target: ['chrome123', 'firefox121', 'safari17.5'],
      // A data URI would need a wider content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1_000,
      rolldownOptions: {
        input: path.join(source, 'main.tsx'),
        output: { codeSplitting: { groups: [{ name: 'base', test: atFirst }] } },
      },
    },
  };
}
