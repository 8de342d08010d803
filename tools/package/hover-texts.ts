/** The texts that editors show for the exports of the package and their members, read from its built declarations. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript-5.9';

/** A name that an editor shows, and its text. */
export interface HoverText {
  readonly name: string;
  readonly text: string;
}

/** An export with the members that are written in its declarations. */
export interface DocumentedExport extends HoverText {
  /** The declarations as TypeScript, without comments. */
  readonly code: string;
  readonly members: readonly HoverText[];
}

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

/** Reads the exports of modules in `dist`. */
export function hoverTexts(
  dist: string,
  modules: readonly string[],
): (module: string) => readonly DocumentedExport[] {
  const fileOf = (module: string): string => path.join(dist, `${module}.d.ts`);
  const program = ts.createProgram({
    rootNames: modules.map(fileOf),
    options: {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      skipLibCheck: true,
      types: [],
    },
    host: ownFilesOnly(),
  });
  const checker = program.getTypeChecker();
  const printer = ts.createPrinter({ removeComments: true });

  const textOf = (symbol: ts.Symbol): string =>
    [
      ts.displayPartsToString(symbol.getDocumentationComment(checker)),
      ...symbol
        .getJsDocTags()
        .map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`.trim()),
    ].join('\n');

  return (module) => {
    const source = program.getSourceFile(fileOf(module));
    const symbol = source && checker.getSymbolAtLocation(source);
    if (!symbol) throw new Error(`${module} has no declarations.`);
    return checker.getExportsOfModule(symbol).flatMap((exported) => {
      const target =
        exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const declarations = (target.declarations ?? []).filter((node) =>
        node.getSourceFile().fileName.startsWith(path.join(dist, path.sep)),
      );
      if (declarations.length === 0) return [];
      const members = declarations.flatMap(membersOf).flatMap((member) => {
        const own = member.name && checker.getSymbolAtLocation(member.name);
        return own ? [{ name: own.name, text: textOf(own) }] : [];
      });
      const code = declarations
        .map((node) => printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()))
        .join('\n');
      return [{ name: exported.name, text: textOf(target), code, members }];
    });
  };
}
