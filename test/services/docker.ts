/** Starts a server in a container with the `docker` command, if a Docker engine is available. */

import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProgram } from './server-process.ts';
import type { Service, ServiceName } from './service.ts';

/** Timeout for a container to become ready after its image is pulled, in milliseconds. */
const startTimeoutMs = 120_000;

/** A container to run, and how to connect to it. */
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

/** Whether a Docker engine responds; the command alone is not enough. */
export function dockerAnswers(): boolean {
  return (
    findProgram('docker') !== null &&
    spawnSync('docker', ['version'], { stdio: 'ignore', timeout: 5_000 }).status === 0
  );
}

/** Runs the container until its service is stopped; `null` without Docker or if the server does not start. */
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
  const deadline = Date.now() + startTimeoutMs;
  while (Number.isInteger(published) && Date.now() < deadline) {
    if (await answers(url)) return { name, url, found: 'Docker', dispose };
    await sleep(500);
  }
  await dispose();
  return null;
}
