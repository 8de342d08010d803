/** Starts a server in a container, by Testcontainers, where a container engine answers. */

import { setTimeout as sleep } from 'node:timers/promises';
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

let engine: Promise<boolean> | undefined;

/** Whether a container engine answers, Docker or another one. */
export function dockerAnswers(): Promise<boolean> {
  engine ??= import('testcontainers')
    .then(({ getContainerRuntimeClient }) => getContainerRuntimeClient())
    .then(
      () => true,
      () => false,
    );
  return engine;
}

/** Runs the container until its service is stopped; `null` without an engine or if the server does not start. */
export async function startContainer(container: Container): Promise<Service | null> {
  if (!(await dockerAnswers())) return null;
  const { name, image, port, environment, url: urlOn, answers } = container;
  const { GenericContainer } = await import('testcontainers');
  const started = await new GenericContainer(image)
    .withEnvironment({ ...environment })
    .withExposedPorts(port)
    .start()
    .catch(() => null);
  if (!started) return null;
  const url = urlOn(started.getMappedPort(port));
  const dispose = async (): Promise<void> => void (await started.stop());
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    if (await answers(url)) return { name, url, found: 'Docker', dispose };
    await sleep(500);
  }
  await dispose();
  return null;
}
