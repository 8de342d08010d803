/** State that a test file changes and the next file in the same process must not find. */

const undone: (() => void)[] = [];

/** Runs the function after every test file of this process; for modules, which files share. */
export function afterFile(undo: () => void): void {
  undone.push(undo);
}

/** Ends a file; called by `test/setup/end-file.ts`. */
export function endFile(): void {
  for (const undo of undone) undo();
}
