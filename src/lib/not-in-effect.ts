/** Tells that a private part of a package, which a `foreign.ts` reads, is not there: once in a process, at boot. */

/** Receives the lines; `console` is one. */
export interface WarningLog {
  warn(message: string): void;
}

const told = new Set<string>();

/** `part` names the part and its package, `consequence` is a sentence without its period. */
export function notInEffect(part: string, consequence: string, log: WarningLog = console): void {
  if (told.has(part)) return;
  told.add(part);
  log.warn(`sluice: ${part} cannot be read in the installed version: ${consequence}.`);
}
