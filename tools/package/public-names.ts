/** The names that each subpath exports, read from the export declarations of its module. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5.9';
import { subpaths } from './entries.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The checked-in list, which `node tools/public-names.ts` writes. */
export const listFile = path.join(root, 'tools/package/public-names.json');

/** The names of one subpath, sorted. */
export interface PublicNames {
  /** Names that exist at run time. */
  readonly values: readonly string[];
  /** Names that exist for the compiler only. */
  readonly types: readonly string[];
}

interface Name {
  readonly text: string;
  readonly isType: boolean;
}

/** The exports of a statement in a file; each has its name there, or in the entry file of another folder. */
function exportsOf(statement: ts.Statement, file: string): Name[] {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause, isTypeOnly, moduleSpecifier } = statement;
    const from = moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';
    if (!exportClause && path.basename(from) === 'index.ts') {
      return namesIn(path.join(path.dirname(file), from));
    }
    if (!exportClause || !ts.isNamedExports(exportClause)) {
      throw new Error(`A subpath exports by name: ${statement.getText()}`);
    }
    return exportClause.elements.map((each) => ({
      text: each.name.text,
      isType: isTypeOnly || each.isTypeOnly,
    }));
  }
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (!isExported) return [];
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => ({
      text: name.getText(),
      isType: false,
    }));
  }
  const { name } = statement as ts.DeclarationStatement;
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  return [{ text: name?.getText() ?? 'default', isType }];
}

function namesIn(file: string): Name[] {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  return source.statements.flatMap((statement) => exportsOf(statement, file));
}

function namesOf(module: string): PublicNames {
  const names = namesIn(path.join(root, 'src', `${module}.ts`));
  const sorted = (isType: boolean): string[] =>
    names
      .filter((name) => name.isType === isType)
      .map((name) => name.text)
      .toSorted();
  return { values: sorted(false), types: sorted(true) };
}

/** The names of every subpath. */
export const publicNames = (): Readonly<Record<string, PublicNames>> =>
  Object.fromEntries(
    Object.entries(subpaths).map(([subpath, module]) => [
      path.posix.join('sluice', subpath),
      namesOf(module),
    ]),
  );
