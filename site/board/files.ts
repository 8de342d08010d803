/** The files of a recorded board, which any server can serve: its pages, the files of the dashboard, and the record. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { DashboardAsset } from '../../src/board/core/page/dashboard-assets.ts';
import { assets, entry } from '../../src/board/core/page/dashboard-assets.generated.ts';
import { page } from '../../src/board/core/page/page.ts';
import type { Recorded } from './record.ts';

/** A page, with the stand-in for the API between its configuration and its scripts. */
function documentOf({ uiConfig, at }: Recorded, basePath: string): string {
  // The other board and the lists of the demo are not here.
  const { boards: _boards, miscLinks: _miscLinks, ...own } = uiConfig;
  const { body } = page({
    entry,
    uiConfig: { ...own, boardTitle: 'Sluice, recorded', readOnly: true },
    basePath,
  });
  const standIn = readFileSync(new URL('stand-in.js', import.meta.url), 'utf8');
  return String(body).replace(
    /<script type="application\/json".*?<\/script>/s,
    (config) => `${config}\n<script>const recordedAt = ${at};\n${standIn}</script>`,
  );
}

const contentOf = ({ encodings: { identity, br } }: DashboardAsset): Buffer =>
  identity === undefined
    ? brotliDecompressSync(Buffer.from(br ?? '', 'base64'))
    : Buffer.from(identity, 'base64');

/** Writes the files into a folder that is served at `basePath`. */
export function writeBoard(recorded: Recorded, folder: string, basePath: string): void {
  const write = (name: string, content: string | Buffer): void => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  const document = documentOf(recorded, basePath);
  for (const each of recorded.pages) write(`${decodeURIComponent(each)}/index.html`, document);
  const answers = JSON.stringify(recorded.answers)
    // Nothing can be changed.
    .replaceAll('"readOnlyMode":false', '"readOnlyMode":true')
    // Stacks name files of the demo.
    .replaceAll(process.cwd(), '/app');
  write('record.json', answers);
  for (const asset of assets) write(asset.path, contentOf(asset));
}
