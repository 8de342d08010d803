import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, type Imported, addressOf, importing, installed } from './package.ts';

let host: Host;
beforeAll(() => {
  host = installed();
});
afterAll(() => host.remove());

/** Bundles a subpath for browsers. Fails if it imports a Node module or a package. */
async function coreBundle(specifier = 'sluice') {
  return build({
    stdin: { contents: `export * from '${specifier}';`, resolveDir: host.directory },
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
    const { loaded } = host.run(importing('sluice')) as Imported;
    const own = addressOf(path.join(host.installed, 'dist'));
    expect(loaded).toContain(`${own}index.js`);
    expect(loaded.filter((url) => !url.startsWith(own))).toEqual([]);
  });
});

describe('the core bundle', () => {
  it('contains only modules of the package', async () => {
    const { metafile } = await coreBundle();
    const [output] = Object.values(metafile.outputs);
    expect(output?.imports).toEqual([]);
    const inputs = Object.keys(metafile.inputs).filter((input) => input !== '<stdin>');
    expect(inputs.filter((input) => !input.includes('/sluice/dist/'))).toEqual([]);
    // The source maps name the sources of each chunk.
    const sources = inputs.flatMap((input) =>
      (JSON.parse(readFileSync(`${input}.map`, 'utf8')) as { sources: string[] }).sources.map(
        (source) => source.replace(/^.*?(?=src\/)/, ''),
      ),
    );
    expect(sources).toContain('src/rules/plan/plan-query.ts');
    expect(
      sources.filter((source) => !/^src\/(index|lib\/|rules\/|schema\/)/.test(source)),
    ).toEqual([]);
    expect(sources.filter((source) => source.includes('/companions/'))).toEqual([]);
  });

  it('is under 24 kB minified and compressed', async () => {
    const { outputFiles } = await coreBundle();
    const size = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
    expect(size).toBeLessThan(24_000);
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

describe('the bundle of sluice/client', () => {
  it('is under 12.5 kB minified and compressed, with nothing that reads lists', async () => {
    const { outputFiles, metafile } = await coreBundle('sluice/client');
    expect(Object.values(metafile.outputs)[0]?.imports).toEqual([]);
    expect(gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length).toBeLessThan(12_500);
    const text = outputFiles[0]?.text ?? '';
    expect(text).toContain('PATH_UNKNOWN');
    for (const word of ['"node:', 'CURSOR_KEYS', 'cursorKeys', 'foldedField', 'SELECT']) {
      expect([word, text.includes(word)]).toEqual([word, false]);
    }
  });
});
