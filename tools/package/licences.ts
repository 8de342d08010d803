/** The licences of packages that are parts of the build. */

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folder of the package that a file belongs to. */
const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** The folders of the packages among the inputs of a build. */
export const packageFolders = (inputs: readonly string[]): readonly string[] =>
  [...new Set(inputs.flatMap((input) => packageFolder.exec(input)?.[0] ?? []))].toSorted();

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string;
}

/** Names, versions and licences of packages by their folders. */
export function licencesOf(root: string, folders: readonly string[]): string {
  const licences = folders.map((folder) => {
    const directory = path.join(root, folder);
    const manifest = readFileSync(path.join(directory, 'package.json'), 'utf8');
    const { name, version, license, author } = JSON.parse(manifest) as Manifest;
    const [file] = globSync('LICEN[CS]E*', { cwd: directory });
    // Some packages name their licence and author, and do not have its text.
    if (file === undefined && !(license && author)) throw new Error(`${name} has no licence.`);
    const licence =
      file === undefined
        ? `Licence ${license}, ${author}`
        : readFileSync(path.join(directory, file), 'utf8').trim();
    return `${name} ${version}\n\n${licence}\n`;
  });
  return `Parts of these packages are in the files of this folder.\n\n${licences.join('\n\n')}`;
}
