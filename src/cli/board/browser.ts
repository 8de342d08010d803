/** Opens the board in a browser. */

import { spawn } from 'node:child_process';

/** The program of each system that opens an address. */
const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Whether somebody sits in front of the command. */
export function isAttended(environment: NodeJS.ProcessEnv): boolean {
  return process.stdout.isTTY && !environment['CI'];
}

/**
 * Opens an address, without a shell.
 *
 * @param command program and arguments; undefined for the browser of the system
 * @param failed called when the program cannot be started
 */
export function openBrowser(
  url: string,
  command: readonly string[] | undefined,
  failed: () => void,
): void {
  const [program = '', ...args] = command ?? openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', failed);
  child.unref();
}
