/** Where new modules belong in a project. */

import type { Project } from './project.ts';

/** The folder of sources, ending in a slash; empty for the root. */
export function sourceFolder({ files }: Project, framework: string): string {
  const below = framework === 'next' ? 'src/app/' : 'src/';
  return files.some((file) => file.startsWith(below)) ? 'src/' : '';
}

/** The folder whose modules the framework mounts by itself, ending in a slash. */
export function routesFolder(project: Project, framework: string): string | undefined {
  const { files, packages } = project;
  if (framework === 'next') return `${sourceFolder(project, framework)}app/`;
  if (framework !== 'fastify' || !packages.has('@fastify/autoload')) return undefined;
  return ['src/routes/', 'routes/'].find((folder) => files.some((file) => file.startsWith(folder)));
}
