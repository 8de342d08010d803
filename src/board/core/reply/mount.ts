/** Paths below a mount path. */

/** The path below `mountPath` ('' for the root); undefined outside of it. The mount path itself is the root. */
export function below(mountPath: string, path: string): string | undefined {
  if (!path.startsWith(mountPath)) return undefined;
  const rest = path.slice(mountPath.length);
  if (rest === '') return '/';
  return rest.startsWith('/') ? rest : undefined;
}
