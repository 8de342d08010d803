/** The optional packages of a source, loaded when the source is configured. */

import { isMissingPackage } from '../../../lib/index.ts';

/** A package that must be installed; ends the command with the way to install it. */
export class MissingPackages extends Error {
  override readonly name = 'MissingPackages';

  constructor(source: string, packages: readonly string[]) {
    const names = packages.join(' and ');
    super(
      `${source} needs ${names}, in the project that has Sluice: npm install ${packages.join(' ')}`,
    );
  }
}

/**
 * Loads several packages, by the names that they are installed under.
 *
 * @throws {MissingPackages} when one of them is not installed
 */
export async function loadPackages<
  Loaders extends Readonly<Record<string, () => Promise<unknown>>>,
>(
  source: string,
  loaders: Loaders,
): Promise<{ readonly [Name in keyof Loaders]: Awaited<ReturnType<Loaders[Name]>> }> {
  const loaded = await Promise.all(
    Object.entries(loaders).map(async ([name, load]) => {
      try {
        return [name, await load()] as const;
      } catch (error) {
        if (isMissingPackage(error)) return [name, undefined] as const;
        throw error;
      }
    }),
  );
  const missing = loaded.flatMap(([name, module]) => (module === undefined ? [name] : []));
  if (missing.length > 0) throw new MissingPackages(source, missing);
  // Each name has what its loader returned.
  return Object.fromEntries(loaded) as never;
}
