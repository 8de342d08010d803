/** Packages that a host installs itself: loading one that may be missing, and refusing one that is too old. */

/** Whether a module could not be loaded because a package is not installed. */
export function isMissingPackage(error: unknown): boolean {
  return (
    error instanceof Error && /Cannot find (?:module|package)|Could not resolve/.test(error.message)
  );
}

/**
 * The error of an `import()` of an optional package: with the command to install the package, when it is missing. The
 * import must stand in a `try` of the same function: bundlers leave such a package out where it is not installed.
 */
export function failedImport(error: unknown, name: string, user: string): unknown {
  if (!isMissingPackage(error)) return error;
  return new Error(`${user} needs the package "${name}": npm install ${name}`, { cause: error });
}

/** Whether a version such as `0.44.7` is at least another; prereleases count as their release. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [found, needed] = [version, oldest].map((text) => text.split(/[.-]/).map(Number));
  for (const index of [0, 1, 2]) {
    const difference = (found?.[index] || 0) - (needed?.[index] || 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** The message that refuses an installed version. */
export const tooOld = (user: string, name: string, oldest: string, version: string): string =>
  `${user} needs ${name} ${oldest} or later, and ${version} is installed: npm install ${name}@latest`;
