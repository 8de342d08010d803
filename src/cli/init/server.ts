/** The application of a project that has none yet: a module that mounts the new one and listens. */

import { type Code, importOf, variable } from './code.ts';
import type { FrameworkRow, Mount } from './lists/frameworks.ts';
import { sourceFolder } from './places.ts';
import type { Project } from './project.ts';

/** The module of the application; undefined where the project has sources, or the framework is started in another way. */
export function serverOf(
  project: Project,
  { name, server }: FrameworkRow,
  mount: Mount | undefined,
): Code | undefined {
  const { sources, style } = project;
  if (!mount || !server || sources.length > 0) return undefined;
  const file = `${sourceFolder(project, name)}server${style.extension}`;
  const port = `Number(${variable('PORT', style)} ?? 3000)`;
  const { imports, body } = server(mount.statement('app'), port);
  const own = importOf({ file: mount.file, name: mount.name }, mount.name, file, style);
  return {
    file,
    doc: 'The application, which listens on the port of the variable PORT, 3000 by default.',
    imports: [...imports, own],
    body,
  };
}
