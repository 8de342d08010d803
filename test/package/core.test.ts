import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, addressOf, importTime, installed, loadedBy } from './package.ts';

let host: Host;
beforeAll(() => {
  host = installed();
});
afterAll(() => host.remove());

/** Bundles the core for browsers. Fails if it imports a Node module or a package. */
async function coreBundle() {
  return build({
    stdin: { contents: "export * from 'sluice';", resolveDir: host.directory },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    minify: true,
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
}

describe("import 'sluice'", () => {
  it('loads only modules of the package', () => {
    const loaded = host.run(loadedBy('sluice')) as string[];
    const own = addressOf(path.join(host.installed, 'dist'));
    expect(loaded).toContain(`${own}index.js`);
    expect(loaded.filter((url) => !url.startsWith(own))).toEqual([]);
  });

  it('takes less than 30 ms of CPU time', () => {
    const times = Array.from({ length: 9 }, () => host.run(importTime('sluice')) as number);
    // Other load on the machine can only increase the time.
    expect(Math.min(...times)).toBeLessThan(30);
  });
});

describe('the core bundle', () => {
  it('contains only modules of the package', async () => {
    const { metafile } = await coreBundle();
    const [output] = Object.values(metafile.outputs);
    expect(output?.imports).toEqual([]);
    const inputs = Object.keys(metafile.inputs).filter((input) => input !== '<stdin>');
    expect(inputs.filter((input) => !input.includes('/sluice/dist/'))).toEqual([]);
    // The bundler writes the source path as a comment above each part of a chunk.
    const sources = inputs.flatMap((input) =>
      [...readFileSync(input, 'utf8').matchAll(/^\/\/ (src\/\S+)$/gm)].map(
        (match) => match[1] ?? '',
      ),
    );
    expect(sources).toContain('src/rules/plan/plan-query.ts');
    expect(
      sources.filter((source) => !/^src\/(index|lib\/|rules\/|schema\/)/.test(source)),
    ).toEqual([]);
    expect(sources.filter((source) => source.includes('/companions/'))).toEqual([]);
  });

  it('is under 20 kB minified and compressed', async () => {
    const { outputFiles } = await coreBundle();
    const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
    expect(size).toBeLessThan(20_000);
    expect(size).toBeGreaterThan(2_000);
  });

  it('names no ORM, driver or framework', async () => {
    const { outputFiles } = await coreBundle();
    const text = outputFiles[0]?.text.toLowerCase() ?? '';
    expect(text).toContain('source_configuration_invalid');
    for (const word of [
      'drizzle',
      'express',
      'knex',
      'typeorm',
      'prisma',
      '"node:',
      'better-sqlite',
    ]) {
      expect([word, text.includes(word)]).toEqual([word, false]);
    }
  });
});
