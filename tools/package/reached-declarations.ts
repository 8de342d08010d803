/**
 * The declarations that the subpaths reach, statement by statement. Types of bundled packages are written out, because
 * hosts do not have those packages.
 */

import path from 'node:path';
import ts from 'typescript-5.9';
import { propertyTexts } from '../../src/board/contract/openapi/texts/properties.ts';
import { bundledPackage } from './entries.ts';

/** A part of a text and what replaces it. */
interface Edit {
  readonly part: ts.Node;
  readonly text: string;
}

const isSpecifier = (node: ts.Node): node is ts.ImportSpecifier | ts.ExportSpecifier =>
  ts.isImportSpecifier(node) || ts.isExportSpecifier(node);

/** The statement of a file that a node is part of. */
function statementOf(node: ts.Node): ts.Node {
  return ts.isSourceFile(node) || ts.isSourceFile(node.parent) ? node : statementOf(node.parent);
}

/** The descendants that satisfy a condition; of two within each other, the outer one. */
function within<Found extends ts.Node>(
  node: ts.Node,
  isFound: (node: ts.Node) => node is Found,
): readonly Found[] {
  const found: Found[] = [];
  ts.forEachChild(node, (child) => {
    found.push(...(isFound(child) ? [child] : within(child, isFound)));
  });
  return found;
}

/** Whether a node imports a bundled package. */
const isBundledImport = (node: ts.Node): boolean =>
  ts.isImportDeclaration(node) &&
  bundledPackage.test((node.moduleSpecifier as ts.StringLiteral).text);

/** The texts of the declaration files in `dist` that the entries reach, by path. */
export const reachedDeclarations = (
  dist: string,
  entries: readonly string[],
): ReadonlyMap<string, string> => new Reached(dist, entries).texts();

class Reached {
  readonly #checker: ts.TypeChecker;
  readonly #dist: string;
  readonly #seen = new Set<ts.Symbol>();
  /** Statements and specifiers by file. */
  readonly #kept = new Map<ts.SourceFile, Set<ts.Node>>();

  constructor(dist: string, entries: readonly string[]) {
    const rootNames = entries.map((entry) => path.join(dist, `${entry}.d.ts`));
    const program = ts.createProgram(rootNames, {
      module: ts.ModuleKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      types: ['node'],
    });
    this.#checker = program.getTypeChecker();
    this.#dist = path.join(dist, path.sep);
    for (const name of rootNames) this.#visitModule(program.getSourceFile(name));
  }

  texts(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#kept].map(([file, kept]) => [file.fileName, this.#textOf(file, kept)]),
    );
  }

  /** Keeps the file, if it belongs to `dist`, and those whose names it exports as its own. */
  #keepFile(file: ts.SourceFile): Set<ts.Node> | undefined {
    if (!file.fileName.startsWith(this.#dist)) return undefined;
    const known = this.#kept.get(file);
    if (known) return known;
    const kept = new Set<ts.Node>();
    this.#kept.set(file, kept);
    for (const statement of file.statements) {
      if (!ts.isExportDeclaration(statement)) continue;
      const { exportClause, moduleSpecifier } = statement;
      const isMarker =
        exportClause && !moduleSpecifier && within(statement, isSpecifier).length === 0;
      if (isMarker || !exportClause) kept.add(statement);
      if (!exportClause) this.#moduleOf(moduleSpecifier);
    }
    return kept;
  }

  #moduleOf(specifier: ts.Node | undefined): ts.Symbol | undefined {
    const symbol = specifier && this.#checker.getSymbolAtLocation(specifier);
    const file = symbol?.declarations?.find(ts.isSourceFile);
    return file && this.#keepFile(file) ? symbol : undefined;
  }

  #visitModule(node: ts.Node | undefined): void {
    const symbol = this.#moduleOf(node);
    for (const each of symbol ? this.#checker.getExportsOfModule(symbol) : []) this.#visit(each);
  }

  #visit(symbol: ts.Symbol | undefined): void {
    if (!symbol || this.#seen.has(symbol)) return;
    this.#seen.add(symbol);
    for (const declaration of symbol.declarations ?? []) {
      const statement = statementOf(declaration);
      const kept = this.#keepFile(declaration.getSourceFile());
      if (!kept || ts.isSourceFile(statement) || kept.has(declaration)) continue;
      const isKept = kept.has(statement);
      // Schemas have the names of their types, and are not a part of them.
      if (ts.isVariableStatement(statement) && this.#bundledTypes(statement).length > 0) continue;
      kept.add(statement);
      if (isSpecifier(declaration)) {
        kept.add(declaration);
        this.#visitTarget(declaration);
      } else if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) {
        this.#visitModule(statement.moduleSpecifier);
      } else if (!isKept) {
        this.#visitNames(statement);
      }
    }
  }

  /** Visits what a specifier imports or exports. */
  #visitTarget(specifier: ts.ImportSpecifier | ts.ExportSpecifier): void {
    const { moduleSpecifier } = statementOf(specifier) as
      | ts.ImportDeclaration
      | ts.ExportDeclaration;
    const name = specifier.propertyName ?? specifier.name;
    if (moduleSpecifier) {
      const symbol = this.#moduleOf(moduleSpecifier);
      if (symbol) this.#visit(this.#checker.tryGetMemberInModuleExports(name.text, symbol));
    } else if (ts.isIdentifier(name)) {
      this.#visit(this.#checker.getExportSpecifierLocalTargetSymbol(name));
    }
  }

  #visitNames(node: ts.Node): void {
    if (ts.isIdentifier(node)) this.#visit(this.#checker.getSymbolAtLocation(node));
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      this.#moduleOf(node.argument.literal);
    }
    if (ts.isTypeAliasDeclaration(node) && this.#bundledTypes(node).length > 0) return;
    ts.forEachChild(node, (child) => this.#visitNames(child));
  }

  /** The types of bundled packages in a statement. */
  #bundledTypes(statement: ts.Node): readonly ts.Node[] {
    const isBundled = (node: ts.Node): node is ts.Node => {
      if (ts.isImportTypeNode(node)) {
        return bundledPackage.test(node.argument.getText().slice(1, -1));
      }
      if (!ts.isTypeReferenceNode(node)) return false;
      let name: ts.EntityName = node.typeName;
      while (ts.isQualifiedName(name)) name = name.left;
      const declarations = this.#checker.getSymbolAtLocation(name)?.declarations ?? [];
      return declarations.some((each) => isBundledImport(statementOf(each)));
    };
    return within(statement, isBundled);
  }

  #textOf(file: ts.SourceFile, kept: ReadonlySet<ts.Node>): string {
    const statements = file.statements.filter((each) => kept.has(each) && !isBundledImport(each));
    const text = statements.map((each) => this.#statementText(each, kept)).join('');
    // A file of which nothing is reached is a module still, whose names another file exports.
    return `${text.trim() || 'export {};'}\n`;
  }

  #statementText(statement: ts.Statement, kept: ReadonlySet<ts.Node>): string {
    const types = this.#bundledTypes(statement);
    const edits: Edit[] = within(
      statement,
      (node) => ts.isNamedImports(node) || ts.isNamedExports(node),
    ).map((part) => {
      const names = part.elements.filter((each) => kept.has(each)).map((each) => each.getText());
      return { part, text: `{ ${names.join(', ')} }` };
    });
    let before = '';
    if (types.length > 0 && ts.isTypeAliasDeclaration(statement)) {
      edits.push({ part: statement.type, text: this.#writtenOut(statement) });
      before = this.#textOfSchema(statement);
    } else {
      // The host passes such a value on, and nothing more.
      edits.push(...types.map((part) => ({ part, text: 'object' })));
    }
    const start = statement.getFullStart();
    const edited = edits.reduceRight(
      (text, { part, text: replacement }) =>
        text.slice(0, part.getStart() - start) + replacement + text.slice(part.getEnd() - start),
      statement.getFullText(),
    );
    return before + edited;
  }

  /** The comment on the schema of the same name, which is the comment on its type too. */
  #textOfSchema({ name }: ts.TypeAliasDeclaration): string {
    const { declarations } = this.#checker.getSymbolAtLocation(name) ?? {};
    const schema = declarations?.find(ts.isVariableDeclaration);
    const statement = schema && statementOf(schema);
    return statement ? statement.getFullText().slice(0, statement.getLeadingTriviaWidth()) : '';
  }

  /** The type of an alias, with the descriptions of its properties. */
  #writtenOut(alias: ts.TypeAliasDeclaration): string {
    const { NoTruncation, InTypeAlias, MultilineObjectLiterals } = ts.NodeBuilderFlags;
    const flags = NoTruncation | InTypeAlias | MultilineObjectLiterals;
    const type = this.#checker.getTypeAtLocation(alias.name);
    const node = this.#checker.typeToTypeNode(type, alias, flags);
    if (!node) throw new Error(`${alias.name.text} has no type.`);
    describe(node, alias.name.text);
    return ts.createPrinter().printNode(ts.EmitHint.Unspecified, node, alias.getSourceFile());
  }
}

/** Adds the descriptions of the board's OpenAPI document to the properties of a type. */
function describe(node: ts.Node, place: string): void {
  ts.forEachChild(node, (child) => {
    if (!ts.isPropertySignature(child)) return describe(child, place);
    const name = (child.name as ts.Identifier | ts.StringLiteral).text;
    const text = propertyTexts[`${place}.${name}`] ?? propertyTexts[name];
    const kind = ts.SyntaxKind.MultiLineCommentTrivia;
    if (text) ts.addSyntheticLeadingComment(child, kind, `* ${text} `, true);
    describe(child, `${place}.${name}`);
  });
}
