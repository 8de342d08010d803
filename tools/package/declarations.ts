/** Keeps the declarations that the subpaths reach, and copies them for CommonJS. */

import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Every relative specifier of a declaration file. */
const relative = /(from |import\()'(\.[^']*)\.ts'/g;

const outputOf = (file: string): string => file.replace(/(?:\.d)?\.ts$/, '.d.ts');

/** Declaration files that the entries import, with their texts; specifiers name what Node.js would load. */
function reached(dist: string, entries: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const waiting = entries.map((entry) => path.join(dist, `${entry}.d.ts`));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (texts.has(file)) continue;
    const text = readFileSync(file, 'utf8');
    for (const [, , specifier] of text.matchAll(relative)) {
      waiting.push(outputOf(path.join(path.dirname(file), `${specifier}.ts`)));
    }
    texts.set(file, text.replace(relative, "$1'$2.js'"));
  }
  return texts;
}

/** Replaces the declarations in `dist` by those that the entries reach, in `dist` and in `dist/cjs`. */
export function arrangeDeclarations(dist: string, entries: readonly string[]): void {
  const texts = reached(dist, entries);
  for (const file of globSync('**/*.d.ts', { cwd: dist })) rmSync(path.join(dist, file));
  for (const [file, text] of texts) {
    const copy = path.join(dist, 'cjs', path.relative(dist, file));
    for (const target of [file, copy]) {
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  }
}
