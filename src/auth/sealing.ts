/** Sealed values: JSON under AES-256-GCM as a compact JWE, which only this board's secret opens. */

import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';

/** The longest sealed value that is written. With the name and attributes a cookie stays within 4 KB. */
export const sealedLimit = 3800;

/** Seals and opens the values of one purpose. */
export interface Sealer {
  seal(value: object): Promise<string>;
  /** The value, or `undefined` for anything that was not sealed here, for this purpose, unaltered. */
  open(sealed: string): Promise<unknown>;
}

const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/**
 * A sealer whose keys are derived from the secrets by HKDF-SHA256, with the purpose as their label: a value that was
 * sealed for one purpose does not open for another. The first secret seals, all of them open.
 *
 * @param limit characters of the longest value that is opened
 */
export function createSealer(
  secrets: string | readonly string[],
  purpose: string,
  limit = sealedLimit,
): Sealer {
  const keys = [secrets]
    .flat()
    .map((secret) => new Uint8Array(hkdfSync('sha256', secret, '', `sluice/auth ${purpose}`, 32)));
  const [first = new Uint8Array()] = keys;
  return {
    seal: (value) =>
      new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(first),
    async open(sealed) {
      if (sealed.length > limit || !isPlain(sealed)) return undefined;
      for (const key of keys) {
        try {
          const { plaintext } = await compactDecrypt(sealed, key, options);
          return JSON.parse(new TextDecoder().decode(plaintext)) as unknown;
        } catch {
          // Sealed under another secret, or not here.
        }
      }
      return undefined;
    },
  };
}

/**
 * Whether every part is written as base64url writes it. A decoder also takes blanks, padding and spare bits, and what
 * has several spellings would be several sessions to everything that remembers one.
 */
function isPlain(sealed: string): boolean {
  return sealed
    .split('.')
    .every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
