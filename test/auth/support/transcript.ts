/**
 * Everything that a test file made the middleware say: answers, lines on the console, errors it reported. When
 * the file is done, none of it may hold a secret.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { afterFile } from '../../after-file.ts';

const secrets = new Set<string>();
const tokens = new Set<string>();
const said: string[] = [];

/** Remembers a text that must never be said, and gives it back. */
export function secret(text: string): string {
  secrets.add(text);
  return text;
}

/** The same for the tokens of this file, of which there are thousands. */
export function secretToken(text: string): string {
  tokens.add(text);
  return text;
}

/** Adds an answer. The one place where protocol wants a token said is the provider's logout address. */
export function recordAnswer(status: number, headers: IncomingHttpHeaders, body: string): void {
  const shown = Object.entries(headers).map(([name, value]) => {
    const text = String(value);
    return `${name}: ${name === 'location' ? text.replace(/([?&]id_token_hint=)[^&]+/, '$1') : text}`;
  });
  said.push([String(status), ...shown, body].join('\n'));
}

/** Adds an error that the middleware handed to `onError`, with its stack and its causes. */
export function recordError(error: unknown): void {
  for (let at = error; at instanceof Error; at = at.cause) {
    said.push(`${at.stack}\n${JSON.stringify({ ...at })}`);
  }
}

/** The printed text. */
export const printed: string[] = [];

afterFile(() => {
  tokens.clear();
  for (const texts of [said, printed]) texts.length = 0;
});

/** Watches the console of this file and holds everything against the secrets at its end. */
export function keepsSecrets(): void {
  beforeAll(() => {
    for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
        printed.push(parts.map(String).join(' '));
      });
    }
  });
  afterAll(() => {
    vi.restoreAllMocks();
    expect(said.length).toBeGreaterThan(0);
    expect(secrets.size).toBeGreaterThan(0);
    // Each form once: of most secrets two forms are the same.
    const forms = new Set(
      [...secrets, ...tokens].flatMap((hidden) => [
        hidden,
        encodeURIComponent(hidden),
        Buffer.from(hidden).toString('base64'),
      ]),
    );
    for (const text of [...said, ...printed]) {
      for (const form of forms) {
        if (text.includes(form)) expect.fail(`a secret was said in:\n${text.slice(0, 2000)}`);
      }
    }
  });
}
