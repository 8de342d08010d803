/** Stands for the names in refusals in the build for browsers, whose rules a server has checked at its boot. */

export function unresolved(_: unknown, model: string, _path: string, wanted: string): string {
  return `${model} has no such ${wanted}; name a declared path.`;
}

export function operatorsOf(): string {
  return '';
}

export function kindOverride(): string {
  return '';
}
