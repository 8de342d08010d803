/** Replaces the declarations that the compiler wrote by those that hosts need, each once where that is possible. */

import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { reachedDeclarations } from './reached-declarations.ts';

/** Every relative specifier of a declaration file. */
const relative = /(from |import\()(['"])(\.[^'"]*)\.[jt]s\2/g;

/** An import of a package of the host, whose declarations for ES modules may differ from those for CommonJS. */
const hostImport = /(?:from |import\()['"](?!\.|node:)/;

/** The files that import a package of the host, themselves or through others. */
function reachingHosts(texts: ReadonlyMap<string, string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [file, text] of texts) if (hostImport.test(text)) found.add(file);
  const imports = [...texts].map(([file, text]) => {
    const specifiers = [...text.matchAll(relative)].map(([, , , specifier]) => specifier);
    return [file, specifiers.map((specifier) => declarationOf(file, specifier))] as const;
  });
  // The loop goes on to the files that it adds.
  for (const reached of found) {
    for (const [file, targets] of imports) if (targets.includes(reached)) found.add(file);
  }
  return found;
}

const declarationOf = (from: string, specifier = ''): string =>
  path.join(path.dirname(from), `${specifier}.d.ts`);

/**
 * Replaces the declarations in `dist` by those that the entries reach: all of them as CommonJS in `dist/cjs`, and as ES
 * modules the entries and what depends on packages of the host. The others are the same for both, and ES modules may
 * import CommonJS.
 */
export function arrangeDeclarations(dist: string, entries: readonly string[]): void {
  const files = globSync('**/*.d.ts', { cwd: dist }).map((file) => path.join(dist, file));
  for (const file of files) {
    writeFileSync(file, readFileSync(file, 'utf8').replace(relative, '$1$2$3.js$2'));
  }
  const texts = reachedDeclarations(dist, entries);
  const native = new Set([
    ...entries.map((entry) => path.join(dist, `${entry}.d.ts`)),
    ...reachingHosts(texts),
  ]);
  const common = (file: string): string => path.join(dist, 'cjs', path.relative(dist, file));
  for (const file of files) rmSync(file);
  for (const [file, text] of texts) {
    write(common(file), text);
    if (!native.has(file)) continue;
    const shared = text.replace(relative, (whole, start, quote, specifier) => {
      const target = declarationOf(file, specifier);
      if (native.has(target)) return whole;
      const moved = path.relative(path.dirname(file), common(target)).replace(/\.d\.ts$/, '.js');
      return `${start}${quote}${moved.startsWith('.') ? '' : './'}${moved}${quote}`;
    });
    write(file, shared);
  }
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
