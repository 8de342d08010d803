/** Sealed values: JSON encrypted with AES-256-GCM as a compact JWE, under the secret of this board. */

import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';

/** Maximum length of a sealed value. With name and attributes a cookie stays within 4 KB. */
export const sealedLimit = 3800;

/** Seals and opens the values of one purpose. */
export interface Sealer {
  seal(value: object): Promise<string>;
  /** Returns the value, or `undefined` if it was sealed elsewhere or for another purpose, or was altered. */
  open(sealed: string): Promise<unknown>;
}

const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/** Derives a key by HKDF-SHA256, with the purpose as label: keys of two purposes have nothing in common. */
export function derivedKey(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `sluice/auth ${purpose}`, 32));
}

/**
 * Creates a sealer. Its keys are derived from the secrets by HKDF-SHA256, with the purpose as label: a value sealed for
 * one purpose cannot be opened for another. The first secret seals, all of them open.
 *
 * @param limit maximum length of a value to open, in characters
 */
export function createSealer(
  secrets: string | readonly string[],
  purpose: string,
  limit = sealedLimit,
): Sealer {
  const keys = [secrets].flat().map((secret) => derivedKey(secret, purpose));
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
          // Sealed under another secret, or not by this code.
        }
      }
      return undefined;
    },
  };
}

/**
 * Whether every part is canonical base64url. Decoders also accept whitespace, padding and spare bits, so one session
 * would have several spellings, and each would be a different key in the caches.
 */
function isPlain(sealed: string): boolean {
  return sealed
    .split('.')
    .every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
