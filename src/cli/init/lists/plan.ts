/** The files of `sluice init lists`: the rules of a table, its list, and a test of the rules. */

import path from 'node:path';
import { UsageError } from '../../command.ts';
import { type Code, type Import, importOf, specifier, typed, variable } from '../code.ts';
import { connectionsOf, theConnection } from '../connections.ts';
import { thePart } from '../detect.ts';
import type { InitOptions, InitPlan } from '../plan.ts';
import { namesOf, literal } from '../names.ts';
import { routesFolder, sourceFolder } from '../places.ts';
import type { Project } from '../project.ts';
import { testCode, testCommand, testFile } from '../testing.ts';
import { registryModule } from '../tables/prisma.ts';
import { type FoundTable, allowedParts } from '../tables/table.ts';
import { type FrameworkRow, type Injected, frameworkRows } from './frameworks.ts';
import { type ListFacts, type SourceRow, sourceRows } from './sources.ts';

/** The plan of a list over one table. */
export async function listPlan(project: Project, options: InitOptions): Promise<InitPlan> {
  const framework = thePart(frameworkRows, project, 'framework', options.framework);
  if (framework.name === 'nest' && project.style.language === 'js') {
    throw new UsageError('decorators of NestJS need TypeScript: there is no tsconfig.json.');
  }
  const source = thePart(sourceRows, project, 'source', options.source);
  const { url, told } = databaseOf(options, source);
  const table = theTable(await source.tables(project, url), options.table, source);
  const names = namesOf(table);
  const route = options.path ?? `/${framework.name === 'next' ? 'api/' : ''}${names.kebab}`;
  const { style } = project;
  const file =
    options.file ??
    `${sourceFolder(project, framework.name)}lists/${names.kebab}${style.extension}`;
  const stem = stemOf(file, framework);
  const rulesFile = `${stem}.rules${path.posix.extname(file)}`;
  const registry = source.name === 'prisma' ? registryModule(project) : undefined;
  const factsIn = (into: string, connection: string): ListFacts => ({
    table,
    family: table.family,
    camel: names.camel,
    connection,
    ...declaredIn(into, table, registry?.file, project),
  });
  const injected = injectedBy(project, framework, source);
  const connection = injected || connectionOf(project, source, options);
  const own = (from: string, name: string, into: string): Import =>
    importOf({ file: from, name }, name, into, style);
  const opened = typeof connection === 'object' && 'text' in connection ? connection : undefined;
  const written = framework.list(
    {
      names,
      path: route,
      key: table.key.length === 1 ? table.key[0] : undefined,
      own,
      ...(injected && { injected }),
      rules: (into) => [own(rulesFile, `${names.camel}Rules`, into)],
      source: (into) => {
        const local = injected
          ? `this.${injected(into).parameter.split(':')[0] ?? ''}`
          : source.local;
        const facts = factsIn(into, local);
        const { imports, text } = source.source(facts);
        const exported = source.exports(facts).map((name) => own(rulesFile, name, into));
        const from =
          connection && 'file' in connection
            ? [importOf(connection, source.local, into, style)]
            : (opened?.imports ?? []);
        return { imports: [...imports, ...exported, ...from], text };
      },
    },
    {
      file,
      stem,
      isNamed: options.file !== undefined,
      routes: routesFolder(project, framework.name),
      extension: style.extension,
    },
  );
  const modules = opened
    ? written.modules.map((code) => withOpened(code, source, opened.text))
    : written.modules;
  const rules = rulesCode(rulesFile, names.kebab, table, factsIn(rulesFile, ''), source);
  const test = rulesTest(project, rulesFile, table, names.camel);
  return {
    found: [
      ...told,
      `table: ${table.name}, ${table.columns.length} columns, key ${table.key.join(', ')}`,
      ...leftOutNote(table),
    ],
    modules: [rules, ...modules, test],
    ...(written.mount && { mount: written.mount }),
    framework,
    edits: registry?.added
      ? [{ file: registry.added.file, added: [{ at: 'end', text: registry.added.text }] }]
      : [],
    next: [...(registry?.added ? ['npx prisma generate'] : []), testCommand(project, test.file)],
  };
}

/** A module's path without its ending. NestJS has the kind of a file before that: `users.module.ts`. */
const stemOf = (file: string, { name }: FrameworkRow): string =>
  file.replace(name === 'nest' ? /(\.(controller|module))?\.\w+$/ : /\.\w+$/, '');

const leftOutNote = (table: FoundTable): readonly string[] => {
  const { leftOut } = allowedParts(table);
  return leftOut.length === 0 ? [] : [`left out of the answers: ${leftOut.join(', ')}`];
};

/** A connection of its own stands before the source. */
const withOpened = (code: Code, { local }: SourceRow, text: string): Code => ({
  ...code,
  body: code.body.replace('const source = ', `const ${local} = ${text};\nconst source = `),
});

interface Database {
  readonly url: string | undefined;
  readonly told: readonly string[];
}

function databaseOf(options: InitOptions, { isCatalogue }: SourceRow): Database {
  if (!isCatalogue) return { url: undefined, told: [] };
  if (options.database !== undefined) return { url: options.database, told: [] };
  const { DATABASE_URL: url } = process.env;
  if (url !== undefined && url !== '') return { url, told: ['database: that of DATABASE_URL'] };
  throw new UsageError(
    'the tables are read from the database: give its URL with --database, or in DATABASE_URL.',
  );
}

function theTable(
  tables: readonly FoundTable[],
  chosen: string | undefined,
  { name }: SourceRow,
): FoundTable {
  const listed = tables.filter(({ key }) => key.length > 0);
  const names = listed.map(({ model }) => model).join(', ');
  if (listed.length === 0)
    throw new UsageError(`no table with a primary key was found for ${name}.`);
  if (chosen !== undefined) {
    // Prisma writes models with a capital.
    const model = chosen.charAt(0).toLowerCase() + chosen.slice(1);
    const named = tables.filter((each) =>
      [each.model, each.name, each.declared?.name].some((at) => at === chosen || at === model),
    );
    const table = named.find((each) => listed.includes(each));
    if (table) return table;
    const [without] = named;
    const { unlisted = 'it has no primary key' } = without ?? {};
    const why = without ? `the table ${chosen} cannot be listed, because ${unlisted}; ` : '';
    throw new UsageError(`${why}--table must be one of ${names}.`);
  }
  const [only, second] = listed;
  if (only && !second) return only;
  throw new UsageError(`there are several tables; choose one with --table: ${names}.`);
}

/** The table, entity or registry in a module. */
function declaredIn(
  into: string,
  { declared, model }: FoundTable,
  registry: string | undefined,
  { style }: Project,
): Pick<ListFacts, 'declared' | 'local'> {
  if (registry !== undefined) {
    // Prisma writes a TypeScript file in every project.
    const ending = style.language === 'js' ? '.ts' : style.ending;
    return {
      declared: [{ from: specifier(registry, into, ending), names: ['registry'] }],
      local: 'registry',
    };
  }
  if (!declared) return { declared: [], local: '' };
  const local = declared.name === 'default' || declared.name === '=' ? model : declared.name;
  return { declared: [importOf(declared, local, into, style)], local };
}

/** The provider that NestJS injects in place of an exported connection. */
function injectedBy(
  project: Project,
  { name }: FrameworkRow,
  source: SourceRow,
): ((into: string) => Injected) | undefined {
  if (name !== 'nest') return undefined;
  const { injected } = source;
  if (injected && project.packages.has(injected.package)) {
    return () => ({
      parameter: `${source.local}: ${injected.name}`,
      imports: [{ from: injected.from, names: [injected.name] }],
      metadata: '',
      providers: [],
    });
  }
  if (source.name !== 'prisma') return undefined;
  const modules = project.modules('PrismaClient');
  for (const module of modules) {
    for (const [name, declared] of module.classes) {
      const exported = module.exports.get(name);
      const parent = declared.superClass;
      if (exported === undefined || parent?.type !== 'Identifier' || parent.name !== 'PrismaClient')
        continue;
      return (into) => providedBy(project, { file: module.file, name: exported }, name, into);
    }
  }
  return undefined;
}

/** A service of the project, with the module that exports it. */
function providedBy(
  project: Project,
  ref: { readonly file: string; readonly name: string },
  service: string,
  into: string,
): Injected {
  const imports = [importOf(ref, service, into, project.style)];
  const exporter = project.modules(service).flatMap((module) =>
    [...module.exports]
      .filter(([local]) => module.classes.has(local))
      .filter(() => new RegExp(`exports:\\s*\\[[^\\]]*\\b${service}\\b`).test(module.text))
      .map(([local, name]) => ({ local, ref: { file: module.file, name } })),
  )[0];
  const metadata = exporter ? `imports: [${exporter.local}], ` : `providers: [${service}], `;
  const providers = exporter
    ? [importOf(exporter.ref, exporter.local, into, project.style)]
    : imports;
  return { parameter: `prisma: ${service}`, imports, metadata, providers };
}

function connectionOf(project: Project, source: SourceRow, options: InitOptions) {
  // A list that has opened its own keeps it.
  const isOwn = connectionsOf(project, source.maker).every(
    ({ ref, module }) =>
      !ref && [...module.imports.values()].some(({ from }) => from.startsWith('sluice/')),
  );
  if (source.opened && isOwn && options.connection === undefined) {
    return source.opened(variable('DATABASE_URL', project.style));
  }
  const ref = theConnection(project, source.maker, options.connection);
  if (ref) return ref;
  const call = source.maker.names[0] ?? '';
  throw new UsageError(
    `no module of the project exports a connection of ${source.name} (${call}): export it, or name it with --connection <file>#<export>.`,
  );
}

function rulesCode(
  file: string,
  list: string,
  table: FoundTable,
  facts: ListFacts,
  source: SourceRow,
): Code {
  const { filters, sorts, fields } = allowedParts(table);
  const { imports, text } = source.registry(facts);
  const { camel } = facts;
  const registry = source.name === 'prisma' ? 'registry' : `${camel}Registry`;
  const rules = literal(
    { filters, sorts, fields: { root: { allowed: fields, default: fields } } },
    '  ',
  );
  return {
    file,
    doc: `The rules of the list ${list}: clients are refused each path that is not named.`,
    imports: [...imports, ...facts.declared, { from: 'sluice', names: ['defineQueryRules'] }],
    body: `${text}

// Each filter and sort has an index. Add one before you add another.
export const ${camel}Rules = defineQueryRules(
  ${registry},
  '${table.model}',
  ${rules},
  { maxPerPage: 100 },
);`,
  };
}

function rulesTest(project: Project, rulesFile: string, table: FoundTable, camel: string): Code {
  const file = testFile(project, rulesFile);
  const { sorts, fields, leftOut } = allowedParts(table);
  const refused = leftOut[0] ?? 'unknownColumn';
  const rules = `${camel}Rules`;
  return testCode(
    project,
    file,
    `Holds the rules of the list ${camel} against requests.`,
    [
      importOf({ file: rulesFile, name: rules }, rules, file, project.style),
      { from: 'sluice', names: ['QueryError', 'planQuery'] },
    ],
    `const answerTo = (request${typed(': string')}) => {
  try {
    planQuery(request, ${rules});
    return 'accepted';
  } catch (error) {
    if (error instanceof QueryError) return error.code;
    throw error;
  }
};`,
    [
      {
        name: 'accepts the sorts and fields of the rules',
        actual: `answerTo('sort=-${sorts[0] ?? table.key[0] ?? ''}&fields=${fields[0] ?? ''}')`,
        expected: `'accepted'`,
      },
      {
        name: 'refuses other paths',
        actual: `answerTo('sort=${refused}')`,
        expected: `'FIELD_NOT_ALLOWED'`,
      },
    ],
  );
}
