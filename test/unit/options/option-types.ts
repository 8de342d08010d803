/** Finds the option types of the public functions in the source code: the interfaces that their parameters reach. */

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { subpaths } from '../../../tools/package/entries.ts';

const src = fileURLToPath(new URL('../../../src/', import.meta.url));

/** A file of the source, without comments. */
const files = new Map(
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    // The dashboard is an application: nobody calls its functions.
    .filter((file) => file.endsWith('.ts') && !file.startsWith('dashboard'))
    .map((file) => [file, withoutComments(readFileSync(path.join(src, file), 'utf8'))]),
);

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

/** The text from an opening bracket to the one that closes it, which are of the same kind. */
function bracketed(text: string, open: number): string {
  const pairs: Readonly<Record<string, string>> = { '(': ')', '{': '}' };
  const opening = text[open] ?? '';
  const closing = pairs[opening] ?? '';
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === opening) depth += 1;
    if (text[at] === closing && (depth -= 1) === 0) return text.slice(open + 1, at);
  }
  throw new Error(`No ${closing} for the ${opening} at ${open}.`);
}

interface Declared {
  readonly file: string;
  /** The text of the members, of the aliased type, or of the parameters. */
  readonly text: string;
  readonly extends: string;
}

/** Files of types that only the compiler computes with. */
const ofCompiler = /^rules\/typed\/|shape\.ts$/;

const interfaces = new Map<string, Declared>();
const aliases = new Map<string, Declared>();
for (const [file, text] of files) {
  if (ofCompiler.test(file)) continue;
  for (const { 1: name = '', 2: parents = '', index, 0: head } of text.matchAll(
    /^export interface (\w+)([^{]*)\{/gm,
  )) {
    const members = bracketed(text, index + head.length - 1);
    interfaces.set(name, {
      file,
      text: members,
      extends: parents.replace(/^<[\s\S]*?>(?= extends|\s*$)/, ''),
    });
  }
  for (const { 1: name = '', 2: type = '' } of text.matchAll(
    /^(?:export )?type (\w+)(?:<[^=]*>)? =\s([\s\S]*?);$/gm,
  )) {
    aliases.set(name, { file, text: type, extends: '' });
  }
}

/** The files that a public entry exports names of, by these names. */
function exportsOf(file: string, found = new Map<string, string>()): Map<string, string> {
  const text = files.get(file) ?? '';
  const at = (specifier: string) => path.join(path.dirname(file), specifier);
  for (const [, names = '', from = ''] of text.matchAll(
    /^export (?:type )?\{([^}]*)\} from '([^']+)'/gm,
  )) {
    const inner = exportsOf(at(from));
    for (const name of names.split(',').map((each) => each.trim().replace(/^type /, ''))) {
      if (name !== '') found.set(name, inner.get(name) ?? at(from));
    }
  }
  for (const [, from = ''] of text.matchAll(/^export (?:type )?\* from '([^']+)'/gm)) {
    for (const [name, place] of exportsOf(at(from))) found.set(name, place);
  }
  for (const [, name = ''] of text.matchAll(/^export (?:async )?(?:function|class) (\w+)/gm)) {
    found.set(name, file);
  }
  return found;
}

/** The parameters of a function or of the constructor of a class, of all overloads. */
function parametersOf(name: string, file: string): string {
  const text = files.get(file) ?? '';
  const heads = [
    ...text.matchAll(new RegExp(`^export (?:async )?function ${name}(?:<[\\s\\S]*?>)?\\(`, 'gm')),
    ...text.matchAll(new RegExp(`^export class ${name}\\b[\\s\\S]*?^  constructor\\(`, 'gm')),
  ];
  return heads.map(({ 0: head, index }) => bracketed(text, index + head.length - 1)).join('\n');
}

const names = (text: string): string[] => text.match(/\b[A-Z]\w+/g) ?? [];

/** Members that are values: what functions take and return is not given at boot. */
function valuesOf(members: string): string {
  return members
    .split(/;\n/)
    .filter((member) => !member.includes('=>'))
    .join('\n');
}

/** Whether an object of this type has methods, so that it comes from a library or from Sluice. */
function hasMethods(members: string): boolean {
  return /^\s*(?:\w+|\[[\w.]+\])\??(?:<[^(]*>)?\(/m.test(members);
}

/** The interfaces that a public function takes, by name, with the function. */
export function optionTypes(): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (text: string, owner: string): void => {
    for (const name of names(text)) {
      const alias = aliases.get(name);
      if (alias && !found.has(name) && !alias.text.includes('=>')) {
        found.set(name, '');
        visit(alias.text, owner);
      }
      const declared = interfaces.get(name);
      if (!declared || found.has(name) || hasMethods(declared.text)) continue;
      found.set(name, owner);
      visit(`${valuesOf(declared.text)}\n${declared.extends}`, owner);
    }
  };
  for (const module of Object.values(subpaths)) {
    for (const [name, file] of exportsOf(`${module}.ts`)) visit(parametersOf(name, file), name);
  }
  return new Map([...found].filter(([, owner]) => owner !== ''));
}

/** The interfaces that have an option table. */
export function tabledTypes(): Set<string> {
  const tabled = [...files.values()].flatMap((text) =>
    [...text.matchAll(/OptionTableOf<([\s\S]*?)>;/g)].flatMap(([, types = '']) => names(types)),
  );
  return new Set(tabled);
}
