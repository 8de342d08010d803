/** Starts a server in a container with the `docker` command, where Docker answers. */

import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from './server-process.ts';
import type { Service, ServiceName } from './service.ts';

/** Milliseconds a container has to answer, after its image is there. */
const patience = 120_000;

/** What is run, and how to reach it. */
export interface Container {
  readonly name: ServiceName;
  readonly image: string;
  /** Port inside the container. */
  readonly port: number;
  readonly environment: { readonly [name: string]: string };
  url(port: number): string;
  answers(url: string): Promise<boolean>;
}

function docker(...args: string[]): string | null {
  const { status, stdout } = spawnSync('docker', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Whether a Docker engine answers, and not only the command is there. */
export function dockerAnswers(): boolean {
  return (
    findProgram('docker') !== null &&
    spawnSync('docker', ['version'], { stdio: 'ignore', timeout: 5_000 }).status === 0
  );
}

/** Runs the container until it is disposed of; `null` without Docker, or where the server does not come up. */
export async function startContainer(container: Container): Promise<Service | null> {
  const { name, image, port, environment, url: urlOn, answers } = container;
  if (!dockerAnswers()) return null;
  const variables = Object.entries(environment).flatMap(([key, value]) => [
    '-e',
    `${key}=${value}`,
  ]);
  const publish = ['-p', `127.0.0.1::${port}`];
  const id = docker('run', '-d', '--rm', ...publish, ...variables, image);
  if (!id) return null;
  const stop = (): void => void docker('kill', id);
  process.once('exit', stop);
  const dispose = async (): Promise<void> => {
    process.off('exit', stop);
    stop();
  };
  const published = Number(docker('port', id, `${port}/tcp`)?.match(/:(\d+)$/m)?.[1]);
  const url = urlOn(published);
  const deadline = Date.now() + patience;
  while (Number.isInteger(published) && Date.now() < deadline) {
    if (await answers(url)) return { name, url, found: 'Docker', dispose };
    await sleep(500);
  }
  await dispose();
  return null;
}
