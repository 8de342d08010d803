/** The names of errors, and the part of them that a search finds in each of their messages. */

import { expect, it } from 'vitest';
import { constantPart, normalizedError } from '../../../src/lib/index.ts';

it('has a part to search for that each message contains, wherever the name is cut', () => {
  for (const variable of ['"Ada"', '7', 'a@example.com', 'https://a.example/b', '/var/lib', '😀']) {
    for (let length = 285; length <= 305; length += 1) {
      const message = `${'x'.repeat(length)} ${variable} ends`;
      const name = normalizedError(message);
      expect(name.length).toBeLessThanOrEqual(300);
      expect(name.isWellFormed()).toBe(true);
      const part = constantPart(name);
      expect(part.length).toBeGreaterThan(280);
      expect(message).toContain(part);
    }
  }
  expect(normalizedError(`${'x'.repeat(999)}😀`).isWellFormed()).toBe(true);
  expect(constantPart('<text> <n>')).toBe('');
  expect(constantPart('a <n> longest <id> b')).toBe('longest');
});
