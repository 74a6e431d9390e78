import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from 'node:crypto';

/** SHA-256 as the SDK's signer asks for it: with a secret an HMAC, otherwise a plain hash. */
export class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: Secret) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', keyOf(secret));
  }

  update(data: NodeJS.ArrayBufferView): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

type Secret = string | ArrayBuffer | ArrayBufferView;

/**
 * The signer uses two secrets again and again: the account's, a text, and the key it derives for the day. Node takes
 * longer to prepare either than to hash with it.
 */
const texts = new Map<string, KeyObject>();
const derived = new WeakMap<object, KeyObject>();

function keyOf(secret: Secret): KeyObject {
  if (typeof secret === 'string') return remembered(texts, secret, () => createSecretKey(secret, 'utf8'));
  return remembered(derived, secret, () => createSecretKey(secret as NodeJS.ArrayBufferView));
}

function remembered<Name>(
  keys: { get(name: Name): KeyObject | undefined; set(name: Name, key: KeyObject): unknown },
  name: Name,
  make: () => KeyObject,
): KeyObject {
  const key = keys.get(name) ?? make();
  keys.set(name, key);
  return key;
}
