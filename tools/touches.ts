/** Makes a change to a copy of the sources and asks the compiler for the places that no longer fit. */

import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from './tsc.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A change of one file: a replacement of text that it holds once, or a whole new file. */
export type Change =
  | { readonly file: string; readonly text: string; readonly by: string }
  | { readonly file: string; readonly content: string };

/** An error of the compiler. */
export interface Place {
  readonly file: string;
  readonly message: string;
}

const copied = ['src', 'test/matrix', 'package.json'];
const compiled = ['src', 'test/matrix/reference'];

/** The row of an operator whose form exists already. */
export const newOperator: Change = {
  file: 'src/rules/declare/operators.ts',
  text: '\n] as const satisfies',
  by: `
  {
    name: 'fake',
    opposite: 'notLike',
    comparison: 'pattern',
    need: 'text',
    arity: 'one',
    negated: false,
    place: 'anywhere',
    meaning: 'contains the text',
  },
] as const satisfies`,
};

/** An operator that compares, and takes operands, as no other does. */
export const newOperatorForm: readonly Change[] = [
  {
    ...newOperator,
    by: `
  { name: 'fake', comparison: 'fake', need: 'fake', arity: 'fake', meaning: 'is fake' },
] as const satisfies`,
  },
  {
    file: newOperator.file,
    text: 'type OperatorForm =',
    by: `interface FakeForm extends Described {
  readonly comparison: 'fake';
  readonly need: 'fake';
  readonly arity: 'fake';
}

type OperatorForm =
  | FakeForm`,
  },
];

/** The name of a database family, without its folder. */
export const newFamily: Change = {
  file: 'src/schema/families.ts',
  text: 'databaseFamilies = [',
  by: "databaseFamilies = ['fake', ",
};

/** An adapter that neither describes nor executes. */
export const newAdapter: Change = {
  file: 'src/adapters/fake/source.ts',
  content: `import { SourceDescription, relationalSource } from '../../relational/index.ts';
relationalSource({ model: 'user' });
relationalSource({ model: 'user', describe: new SourceDescription({}), execute: {} });
`,
};

async function make(folder: string, change: Change): Promise<void> {
  const target = path.join(folder, change.file);
  if ('content' in change) {
    await mkdir(path.dirname(target), { recursive: true });
    return writeFile(target, change.content);
  }
  const parts = (await readFile(target, 'utf8')).split(change.text);
  if (parts.length !== 2) throw new Error(`${change.file} does not hold once: ${change.text}`);
  return writeFile(target, parts.join(change.by));
}

/** The places that the compiler names once the changes are made. */
export async function placesLeft(changes: readonly Change[]): Promise<readonly Place[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'sluice-touches-'));
  try {
    for (const part of copied) {
      await cp(path.join(root, part), path.join(folder, part), { recursive: true });
    }
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    await writeFile(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: path.join(root, 'tsconfig.json'),
        include: compiled,
        exclude: ['src/dashboard'],
      }),
    );
    for (const change of changes) await make(folder, change);
    const errors = (await compile(folder)).matchAll(/^([^\s(]+)\(\d+,\d+\): error (.*)$/gm);
    return [...errors].map(([, file = '', message = '']) => ({ file, message }));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The files of the places, each once, in order. */
export const filesOf = (places: readonly Place[]): readonly string[] =>
  [...new Set(places.map(({ file }) => file))].sort();
