/** Sealed values in the store, each under an id that only its cookie holds. */

import { createHash, randomBytes } from 'node:crypto';
import { createSealer, type Sealer } from './sealing.ts';
import type { AuthStore } from '../store/store.ts';

/** 32 random bytes; a sealed value has dots. */
const idForm = /^[\w-]{43}$/;

/** Settings of the values of one purpose. */
interface SealedStoreSettings {
  readonly secrets: readonly string[];
  readonly purpose: string;
  readonly seconds: number;
}

/**
 * The store holds neither an id nor what opens a value: its key is a digest of the id, and the key of the cipher is derived
 * from the secret and the id. So an entry that is read, altered or moved to another key is of no use.
 */
export class SealedStore {
  readonly #store: AuthStore;
  readonly #settings: SealedStoreSettings;

  /** @param settings secrets and purpose as of a sealer, and the seconds for which a value is kept */
  constructor(store: AuthStore, settings: SealedStoreSettings) {
    this.#store = store;
    this.#settings = settings;
  }

  isId(text: string): boolean {
    return idForm.test(text);
  }

  /** Stores a value of any size under a new id. */
  async seal(value: object): Promise<string> {
    const id = randomBytes(32).toString('base64url');
    const sealed = await this.#sealerOf(id).seal(value);
    await this.#store.set(keyOf(id), sealed, this.#settings.seconds);
    return id;
  }

  /** Returns the value, or `undefined` if there is none, or another one than was stored under the id. */
  async open(id: string): Promise<unknown> {
    const sealed = await this.#store.get(keyOf(id));
    return sealed === null ? undefined : this.#sealerOf(id).open(sealed);
  }

  async forget(id: string): Promise<void> {
    await this.#store.set(keyOf(id), '', 1);
  }

  #sealerOf(id: string): Sealer {
    const { secrets, purpose } = this.#settings;
    return createSealer(secrets, `${purpose} ${id}`, Number.POSITIVE_INFINITY);
  }
}

const keyOf = (id: string): string =>
  `session:${createHash('sha256').update(id).digest('base64url')}`;

/** The place of sessions; `null` without a store. */
export function sealedStore(
  store: AuthStore | null,
  settings: Omit<SealedStoreSettings, 'seconds'>,
  limits: { readonly maxAgeSeconds: number; readonly idleSeconds: number | null },
): SealedStore | null {
  const seconds = Math.min(limits.maxAgeSeconds, limits.idleSeconds ?? Number.POSITIVE_INFINITY);
  return store && new SealedStore(store, { ...settings, seconds });
}
