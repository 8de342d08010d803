/** The text of a new module: templates are TypeScript with `import`, and become what the project has. */

import path from 'node:path';
import type { Style } from './project.ts';
import type { ExportRef } from './syntax.ts';

/** An import of a module. */
export interface Import {
  readonly from: string;
  readonly names?: readonly string[];
  /** The local name of the default export, or of a whole CommonJS module. */
  readonly default?: string;
  /** Names that are types, which JavaScript leaves out. */
  readonly types?: readonly string[];
}

/** A module to write. */
export interface Code {
  /** Path below the project. */
  readonly file: string;
  /** First line, which says what the module is. */
  readonly doc: string;
  readonly imports: readonly Import[];
  /** Statements with `export const` or `export default`, two blanks, single quotes, and `<T>` marks around types. */
  readonly body: string;
}

/** Marks a part that only TypeScript has. */
export const typed = (text: string): string => `«${text}»`;

/** A variable of the environment. */
export const variable = (name: string, { bracketed }: Style): string =>
  bracketed ? `process.env['${name}']` : `process.env.${name}`;

/** The import of a name of the project from a file of it. */
export function importOf(ref: ExportRef, local: string, into: string, { ending }: Style): Import {
  const from = specifier(ref.file, into, ending);
  if (ref.name === 'default' || ref.name === '=') return { from, default: local };
  return { from, names: [ref.name === local ? local : `${ref.name} as ${local}`] };
}

/** A relative specifier, with the ending of the project. */
export function specifier(file: string, into: string, ending: string): string {
  const relative = path.posix.relative(path.posix.dirname(into), file);
  const bare = relative.replace(/\.[mc]?[jt]sx?$/, '');
  const own = /\.([mc])[jt]s$/.exec(relative)?.[1];
  // Endings such as `.mjs` are never left out.
  const end = own === undefined ? ending : `.${own}${ending.slice(-2) === 'ts' ? 'ts' : 'js'}`;
  const short = end === '' ? bare.replace(/\/index$/, '') : bare;
  return `${short.startsWith('.') ? '' : './'}${short}${end}`;
}

/** The text of a module in the style of the project. */
export function render({ doc, imports, body }: Code, style: Style): string {
  const isTyped = style.language === 'ts';
  const lines = merged(imports, isTyped).map((each) => importLine(each, style));
  const own = isTyped ? body.replaceAll(/[«»]/g, '') : body.replaceAll(/«[^»]*»/g, '');
  const text = `/** ${doc} */\n\n${lines.join('\n')}\n\n${own.trim()}\n`;
  const strict = style.modules === 'require' ? "'use strict';\n\n" : '';
  return inStyle(strict + (style.modules === 'require' ? withRequire(text) : text), style);
}

interface Merged {
  readonly from: string;
  readonly names: readonly string[];
  readonly default: string | undefined;
  readonly types: readonly string[];
}

function merged(imports: readonly Import[], isTyped: boolean): readonly Merged[] {
  const rank = (from: string): number =>
    from.startsWith('node:') ? 0 : from.startsWith('.') ? 2 : 1;
  return [...Map.groupBy(imports, ({ from }) => from)]
    .map(([from, all]) => ({
      from,
      names: sorted(all.flatMap(({ names = [] }) => names)),
      default: all.find((each) => each.default !== undefined)?.default,
      types: isTyped ? sorted(all.flatMap(({ types = [] }) => types)) : [],
    }))
    .filter(
      ({ names, types, default: whole }) => names.length + types.length > 0 || whole !== undefined,
    )
    .toSorted(
      (one, other) => rank(one.from) - rank(other.from) || (one.from < other.from ? -1 : 1),
    );
}

const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].toSorted();

function importLine({ from, names, types, default: whole }: Merged, { modules }: Style): string {
  if (modules === 'require') {
    const list = names.map((name) => name.replace(' as ', ': ')).join(', ');
    const parts = [whole, list === '' ? undefined : `{ ${list} }`];
    return parts
      .flatMap((part) => (part === undefined ? [] : `const ${part} = require('${from}');`))
      .join('\n');
  }
  const isOnlyTypes = names.length === 0 && whole === undefined;
  const all = isOnlyTypes ? types : [...names, ...types.map((name) => `type ${name}`)];
  const list = all.length === 0 ? undefined : listed(all);
  const parts = [whole, list].filter((part) => part !== undefined).join(', ');
  return `import ${isOnlyTypes ? 'type ' : ''}${parts} from '${from}';`;
}

const listed = (names: readonly string[]): string => {
  const line = `{ ${names.join(', ')} }`;
  return line.length < 56 ? line : `{\n  ${names.join(',\n  ')},\n}`;
};

/** Exports of a CommonJS module, at its end. */
function withRequire(text: string): string {
  const names: string[] = [];
  const own = text
    .replaceAll(/^export const (\w+)/gm, (_, name: string) => {
      names.push(name);
      return `const ${name}`;
    })
    .replaceAll(/^export default /gm, 'module.exports = ');
  return names.length === 0 ? own : `${own}\nmodule.exports = { ${names.join(', ')} };\n`;
}

function inStyle(text: string, { indent, quote, semicolons }: Style): string {
  const quoted = quote === "'" ? text : text.replaceAll("'", quote);
  const ended = semicolons ? quoted : quoted.replaceAll(/;$/gm, '');
  return ended.replaceAll(/^(?: {2})+/gm, (blanks) => indent.repeat(blanks.length / 2));
}
