/** A project on the disk: its packages, its source files, and the way in which they are written. */

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '../../lib/index.ts';
import { UsageError } from '../command.ts';
import { type Module, readModule } from './syntax.ts';

/** The way in which the files of a project are written. */
export interface Style {
  readonly language: 'ts' | 'js';
  /** Whether modules have `import`, or `require`. */
  readonly modules: 'import' | 'require';
  /** Ending of new files, with its dot. */
  readonly extension: string;
  /** Ending of relative imports. */
  readonly ending: string;
  readonly indent: string;
  readonly quote: string;
  readonly semicolons: boolean;
  /** Whether the compiler wants `process.env['NAME']`. */
  readonly bracketed: boolean;
}

/** A project. */
export interface Project {
  readonly root: string;
  /** Names of the packages that it depends on, also for development. */
  readonly packages: ReadonlySet<string>;
  readonly scripts: Readonly<Record<string, unknown>>;
  /** Paths of its files below the root, with slashes. */
  readonly files: readonly string[];
  /** Those of them that are modules, without configuration files and declarations of types. */
  readonly sources: readonly string[];
  readonly style: Style;
  /** The text of a file; undefined where there is none. */
  text(file: string): string | undefined;
  /** The modules whose text contains one of these words. */
  modules(...words: readonly string[]): readonly Module[];
}

const leftOut = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'tmp', 'vendor']);
const isSource = (file: string): boolean =>
  /\.[mc]?[jt]sx?$/.test(file) && !/\.d\.[mc]?ts$/.test(file);

/** Most files that are looked at, and most characters of one of them. */
const most = { files: 20_000, characters: 1_000_000 };

/**
 * Reads the project of a folder.
 *
 * @throws {UsageError} when the folder has no package.json
 */
export function readProject(root: string): Project {
  const texts = new Map<string, string | undefined>();
  const text = (file: string): string | undefined => {
    if (!texts.has(file)) texts.set(file, readText(path.join(root, file)));
    return texts.get(file);
  };
  const manifest = manifestOf(text('package.json'));
  const files = [...filesBelow(root, '')].toSorted();
  const packages = new Set(
    ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap(
      (name) => Object.keys(recordOf(manifest[name])),
    ),
  );
  const parsed = new Map<string, Module | undefined>();
  const modules = (...words: readonly string[]): readonly Module[] =>
    files.filter(isSource).flatMap((file) => {
      const content = text(file) ?? '';
      if (!words.some((word) => content.includes(word))) return [];
      if (!parsed.has(file)) parsed.set(file, readModule(file, content));
      return parsed.get(file) ?? [];
    });
  const sources = files.filter((file) => isSource(file) && !/(^|\/)[\w.-]+\.config\./.test(file));
  const style = styleOf(manifest, packages, sources, text);
  const scripts = recordOf(manifest['scripts']);
  return { root, packages, scripts, files, sources, style, text, modules };
}

function manifestOf(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) {
    throw new UsageError('this folder has no package.json: run it in the folder of the project.');
  }
  try {
    return recordOf(JSON.parse(text));
  } catch (error) {
    throw new UsageError('the package.json of this folder is not JSON.', { cause: error });
  }
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isRecord(value) ? value : {};

function readText(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return text.length > most.characters ? '' : text;
  } catch {
    return undefined;
  }
}

function* filesBelow(root: string, folder: string, seen = { files: 0 }): Iterable<string> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (leftOut.has(entry.name) || entry.name.startsWith('.')) continue;
      yield* filesBelow(root, name, seen);
    } else if (entry.isFile()) {
      if (++seen.files > most.files) return;
      yield name;
    }
  }
}

type TextOf = (file: string) => string | undefined;

function styleOf(
  manifest: Readonly<Record<string, unknown>>,
  packages: ReadonlySet<string>,
  sources: readonly string[],
  text: TextOf,
): Style {
  const config = text('tsconfig.json');
  const isTyped = config !== undefined && sources.some((file) => /\.[mc]?tsx?$/.test(file));
  const language = isTyped || (config !== undefined && sources.length === 0) ? 'ts' : 'js';
  const isModule = manifest['type'] === 'module';
  const own = sources.filter((file) => (language === 'ts' ? /ts|tsx$/ : /js|jsx$/).test(file));
  const all = own.map((file) => text(file) ?? '').join('\n');
  const count = (pattern: RegExp): number => all.match(pattern)?.length ?? 0;
  const hasImports = /^(import|export) /m.test(all);
  const isImporting =
    language === 'ts' ||
    isModule ||
    packages.has('next') ||
    (hasImports && !/\brequire\(/.test(all));
  const isNamed = language === 'js' && isImporting && !isModule && !packages.has('next');
  const extension = language === 'ts' ? '.ts' : isNamed ? '.mjs' : '.js';
  return {
    language,
    modules: isImporting ? 'import' : 'require',
    extension,
    ending: endingOf(
      all,
      extension,
      language === 'ts' ? (config ?? '') : undefined,
      isModule,
      isImporting,
      packages,
    ),
    indent: indentOf(all),
    quote: count(/'[^'"\n]*'/g) >= count(/"[^'"\n]*"/g) ? "'" : '"',
    semicolons: count(/;$/gm) >= count(/[\w)'"]$/gm) / 4,
    bracketed: /"noPropertyAccessFromIndexSignature"\s*:\s*true/.test(config ?? ''),
  };
}

/** The ending of relative imports: that of most imports that are there, else that which the compiler needs. */
function endingOf(
  all: string,
  extension: string,
  config: string | undefined,
  isModule: boolean,
  isImporting: boolean,
  packages: ReadonlySet<string>,
): string {
  const found = [...all.matchAll(/from ['"]\.{1,2}\/[^'"]*?(\.[mc]?[jt]sx?)?['"]/g)];
  const counted = Map.groupBy(found, ([, ending = '']) => ending.replace('x', ''));
  const [first] = [...counted].toSorted((one, other) => other[1].length - one[1].length);
  if (first) return first[0];
  if (!isImporting || packages.has('next')) return '';
  if (config === undefined) return extension;
  if (/"(allowImportingTsExtensions|rewriteRelativeImportExtensions)"\s*:\s*true/.test(config))
    return '.ts';
  return isModule && !/"moduleResolution"\s*:\s*"(bundler|node|node10)"/i.test(config) ? '.js' : '';
}

function indentOf(all: string): string {
  if (/^\t/m.test(all)) return '\t';
  const widths = [...all.matchAll(/^( +)\S/gm)].map(([, blanks = '']) => blanks.length);
  return widths.length > 0 && widths.every((width) => width % 4 === 0 || width === 1)
    ? '    '
    : '  ';
}
