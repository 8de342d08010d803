/**
 * Every export of every subpath, and every member that its users see, has a text for editors, and the text stands alone:
 * it refers to nothing that a reader of the package does not have.
 */

import { existsSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript-5.9';
import { beforeAll, describe, expect, it } from 'vitest';
import { subpaths } from '../../tools/package/entries.ts';
import { ensureBuilt, root } from '../package/package.ts';

const dist = path.join(root, 'dist') + path.sep;
const fileOf = (module: string): string => path.join(dist, `${module}.d.ts`);

let checker: ts.TypeChecker;
let program: ts.Program;
beforeAll(() => {
  ensureBuilt();
  program = ts.createProgram({
    rootNames: Object.values(subpaths).map(fileOf),
    options: {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      skipLibCheck: true,
      types: [],
    },
    host: ownFilesOnly(),
  });
  checker = program.getTypeChecker();
});

/** Opens the declarations of the package and no others, which keeps the program small. */
function ownFilesOnly(): ts.CompilerHost {
  const host = ts.createCompilerHost({});
  const resolved = (name: string, from: string): ts.ResolvedModuleFull | undefined => {
    if (!name.startsWith('.')) return undefined;
    const resolvedFileName = path.resolve(path.dirname(from), name.replace(/\.js$/, '.d.ts'));
    return existsSync(resolvedFileName) ? { resolvedFileName, extension: '.d.ts' } : undefined;
  };
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) => ({ resolvedModule: resolved(text, from) }));
  return host;
}

/** A name that an editor shows, and its text. */
interface Entry {
  readonly name: string;
  readonly text: string;
}

const ownDeclarations = (symbol: ts.Symbol): ts.Declaration[] =>
  (symbol.declarations ?? []).filter((node) => node.getSourceFile().fileName.startsWith(dist));

const textOf = (symbol: ts.Symbol): string =>
  [
    ...symbol.getDocumentationComment(checker),
    ...symbol.getJsDocTags().flatMap(({ text }) => text ?? []),
  ]
    .map(({ text }) => text)
    .join(' ');

const isHidden = (member: ts.ClassElement): boolean =>
  ts.isConstructorDeclaration(member) ||
  (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0 ||
  (member.name !== undefined && ts.isPrivateIdentifier(member.name));

/** The members that are written in a declaration: of interfaces, classes and object types, and of the types of members. */
function membersOf(node: ts.Node): readonly ts.NamedDeclaration[] {
  if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)) {
    return node.members.flatMap(withOwnMembers);
  }
  if (ts.isClassDeclaration(node)) {
    return node.members.filter((member) => !isHidden(member)).flatMap(withOwnMembers);
  }
  if (ts.isTypeAliasDeclaration(node)) return membersOf(node.type);
  if (ts.isUnionTypeNode(node) || ts.isIntersectionTypeNode(node)) {
    return node.types.flatMap(membersOf);
  }
  if (ts.isParenthesizedTypeNode(node) || ts.isTypeOperatorNode(node)) return membersOf(node.type);
  return ts.isArrayTypeNode(node) ? membersOf(node.elementType) : [];
}

const withOwnMembers = (member: ts.TypeElement | ts.ClassElement): ts.NamedDeclaration[] => {
  const { type } = member as { readonly type?: ts.TypeNode };
  return [member, ...(type ? membersOf(type) : [])];
};

/** Every export of a module with its members. */
function entriesOf(module: string): Entry[] {
  const source = program.getSourceFile(fileOf(module));
  const symbol = source && checker.getSymbolAtLocation(source);
  if (!symbol) throw new Error(`${module} has no declarations.`);
  return checker.getExportsOfModule(symbol).flatMap((exported) => {
    const target =
      exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const declarations = ownDeclarations(target);
    if (declarations.length === 0) return [];
    const members = declarations.flatMap(membersOf).flatMap((member) => {
      const own = member.name && checker.getSymbolAtLocation(member.name);
      return own ? [{ name: `${exported.name}.${own.name}`, text: textOf(own) }] : [];
    });
    return [{ name: exported.name, text: textOf(target) }, ...members];
  });
}

/** Words that send a reader elsewhere: to other places of a source, to papers, to numbers of a tracker. */
const elsewhere =
  /\b(see|as|the) (above|below)\b|\babove-mentioned\b|\bissue \d|#\d+\b|§|\bspecification\b|\bdesign\b|\.md\b|\bsrc\/|\bTODO\b|\bsee the doc/i;

describe.each(Object.entries(subpaths))('the exports of %s', (_, module) => {
  it('have texts that stand alone', () => {
    const entries = entriesOf(module);
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter(({ text }) => text.trim() === '').map(({ name }) => name)).toEqual([]);
    expect(entries.filter(({ text }) => elsewhere.test(text))).toEqual([]);
  });
});
