/** Cursors encrypted with AES-256-GCM: their content is secret, and they cannot be forged without a key. */

import { configurationError } from '../../../schema/index.ts';
import type { CursorForm } from './cursor-form.ts';

/** First byte of a sealed cursor. It is authenticated because the label of the key contains it. */
const version = 2;
const label = `sluice cursor ${version}`;
const nonceLength = 12;
const tagLength = 16;
/** A cursor consists of the version byte, the nonce, the ciphertext and the tag. */
const textStart = 1 + nonceLength;

/** `node:crypto` without an import, because runtimes that do not use keys may lack the module. */
export function nodeCrypto() {
  const found = globalThis.process?.getBuiltinModule?.('node:crypto');
  if (found) return found;
  throw configurationError(
    '"settings.cursorKeys" needs node:crypto from process.getBuiltinModule, which this runtime does not have; drop the setting, or use Node.js 22.3 or later.',
    { option: 'settings.cursorKeys' },
  );
}

/**
 * The form for endpoints with keys: the first secret encrypts, every secret decrypts. Keys are derived once, with
 * HKDF-SHA256.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the runtime has no `node:crypto`
 */
export function sealedCursors(secrets: readonly [string, ...string[]]): CursorForm {
  const { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync } = nodeCrypto();
  const keyOf = (secret: string, purpose: string) =>
    createSecretKey(new Uint8Array(hkdfSync('sha256', secret, '', `${label} ${purpose}`, 32)));
  const [first, ...others] = secrets;
  const sealing = keyOf(first, 'text');
  const nonceKey = keyOf(first, 'nonce');
  const keys = [sealing, ...others.map((secret) => keyOf(secret, 'text'))];
  const options = { authTagLength: tagLength };
  /**
   * The nonce of a body and its binding, derived with a separate key: different bodies have different nonces, and equal
   * pages have equal cursors, as without keys.
   */
  function nonceOf(body: string, binding: string): Buffer {
    const hmac = createHmac('sha256', nonceKey).update(`${binding.length} ${binding}${body}`);
    return hmac.digest().subarray(0, nonceLength);
  }

  return {
    isSealed: true,
    binding: (parts) => parts,
    write(body, binding) {
      const iv = nonceOf(body, binding);
      const cipher = createCipheriv('aes-256-gcm', sealing, iv);
      cipher.setAAD(Buffer.from(binding));
      const sealed = cipher.update(body, 'utf8');
      cipher.final();
      const bytes = Buffer.allocUnsafe(textStart + sealed.length + tagLength);
      bytes[0] = version;
      bytes.set(iv, 1);
      bytes.set(sealed, textStart);
      bytes.set(cipher.getAuthTag(), textStart + sealed.length);
      return bytes.toString('base64url');
    },
    read(cursor, binding) {
      const bytes = Buffer.from(cursor, 'base64url');
      const end = bytes.length - tagLength;
      if (end < textStart || bytes[0] !== version) return null;
      // The decoder ignores invalid characters and unused bits, so one cursor would have several encodings.
      if (bytes.toString('base64url') !== cursor) return null;
      for (const key of keys) {
        const decipher = createDecipheriv(
          'aes-256-gcm',
          key,
          bytes.subarray(1, textStart),
          options,
        );
        decipher.setAAD(Buffer.from(binding));
        decipher.setAuthTag(bytes.subarray(end));
        try {
          const body = decipher.update(bytes.subarray(textStart, end));
          return Buffer.concat([body, decipher.final()]).toString('utf8');
        } catch {
          // Encrypted with another key or binding, or modified.
        }
      }
      return null;
    },
  };
}
