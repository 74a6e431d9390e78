import { createHash, createHmac, createPublicKey, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { secp256k1 } from '@noble/curves/secp256k1';
import { SignatureV4 } from '@smithy/signature-v4';

/** Credentials whose signatures the stub accepts. */
export const kmsCredentials = { accessKeyId: 'kms-test', secretAccessKey: 'kms-test-secret' };
export const kmsRegion = 'eu-west-1';

export interface KmsStub {
  url: string;
  /** The ARNs of its keys. */
  keys: string[];
  /** The executed operations. */
  operations: string[];
  /** Throttles the next requests. @param requests their number */
  throttle(requests: number): void;
  stop(): void;
}

/**
 * Starts a stub of KMS with secp256k1 keys and the operations GetPublicKey and Sign. It verifies the signature of each
 * request, and refuses parameters that KMS refuses for such a key. Like KMS, it returns signatures with high and low s.
 */
export async function startKms(numberOfKeys: number): Promise<KmsStub> {
  const privateKeys = new Map(
    Array.from({ length: numberOfKeys }, (_, index) => [
      `arn:aws:kms:${kmsRegion}:111122223333:key/0000000${index}-aaaa-bbbb-cccc-123456789012`,
      secp256k1.utils.randomPrivateKey(),
    ]),
  );
  const operations: string[] = [];
  let throttled = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const operation = String(request.headers['x-amz-target']).replace('TrentService.', '');
    const answer = (status: number, content: object) =>
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
        .end(JSON.stringify(content));
    if (!(await hasValidSignature(request.headers, body)))
      return answer(403, { __type: 'AccessDeniedException' });
    if (throttled > 0) {
      throttled--;
      return answer(400, { __type: 'ThrottlingException' });
    }
    const input = JSON.parse(body);
    const key = privateKeys.get(input.KeyId);
    if (!key) return answer(400, { __type: 'NotFoundException' });
    operations.push(operation);
    if (operation === 'GetPublicKey') {
      const PublicKey = toSpki(key).toString('base64');
      return answer(200, {
        KeyId: input.KeyId,
        KeySpec: 'ECC_SECG_P256K1',
        KeyUsage: 'SIGN_VERIFY',
        PublicKey,
      });
    }
    const hash = Buffer.from(input.Message ?? '', 'base64');
    const isValid =
      operation === 'Sign' &&
      input.MessageType === 'DIGEST' &&
      input.SigningAlgorithm === 'ECDSA_SHA_256' &&
      hash.length === 32;
    if (!isValid) return answer(400, { __type: 'ValidationException' });
    return answer(200, { KeyId: input.KeyId, Signature: sign(hash, key).toString('base64') });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: [...privateKeys.keys()],
    operations,
    throttle(requests) {
      throttled = requests;
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Verifies a request's signature by signing the request again. */
async function hasValidSignature(headers: NodeJS.Dict<string | string[]>, body: string): Promise<boolean> {
  const { authorization = '', host = '' } = headers as Record<string, string>;
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const signer = new SignatureV4({
    credentials: kmsCredentials,
    region: kmsRegion,
    service: 'kms',
    sha256: Sha256,
  });
  const [hostname = '', port] = host.split(':');
  const signed = await signer.sign(
    {
      method: 'POST',
      protocol: 'http:',
      hostname,
      port: Number(port),
      path: '/',
      headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
      body,
    },
    { signingDate: parseAmzDate(String(headers['x-amz-date'])) },
  );
  return signed.headers.authorization === authorization;
}

/** Node's SHA-256 with the interface that SignatureV4 requires. */
class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Uint8Array);
  }
  update(data: Uint8Array): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {}
}

/** Parses a time such as 20260102T030405Z. */
function parseAmzDate(compact: string): Date {
  return new Date(compact.replace(/(\d{4})(\d\d)(\d\dT\d\d)(\d\d)/, '$1-$2-$3:$4:'));
}

/** Encodes a public key as KMS returns it. */
function toSpki(privateKey: Uint8Array): Buffer {
  const point = Buffer.from(secp256k1.getPublicKey(privateKey, false));
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  return createPublicKey({ key: { kty: 'EC', crv: 'secp256k1', x, y }, format: 'jwk' }).export({
    type: 'spki',
    format: 'der',
  });
}

function sign(hash: Buffer, privateKey: Uint8Array): Buffer {
  const signature = secp256k1.sign(hash, privateKey, { lowS: true, extraEntropy: true });
  const isHighS = (randomBytes(1)[0] ?? 0) % 2 === 1;
  const s = isHighS ? secp256k1.CURVE.n - signature.s : signature.s;
  return Buffer.from(new secp256k1.Signature(signature.r, s).toDERHex(), 'hex');
}
