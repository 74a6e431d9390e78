import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** An authenticator in software, for passkeys over HTTP. */

export const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest();
export const toBase64Url = (data: Buffer | string) => Buffer.from(data).toString('base64url');

interface Ceremony {
  challenge: string;
  origin?: string;
  rpId?: string;
  counter?: number;
  /** Without user verification. */
  unverified?: boolean;
  userHandle?: string;
}

/** An authenticator with one passkey: ES256, attestation `none`. */
export function createAuthenticator(apiUrl: string) {
  const id = randomBytes(16);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coordinate = (text: string) =>
    Buffer.concat([Buffer.from([0x58, 0x20]), Buffer.from(text, 'base64url')]);
  // A COSE key in CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
  const coseKey = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    coordinate(x),
    Buffer.from([0x22]),
    coordinate(y),
  ]);
  let userHandle = '';
  const authenticatorData = (ceremony: Ceremony, attested: Buffer = Buffer.alloc(0)) => {
    const flags = 0x01 | (ceremony.unverified ? 0 : 0x04) | (attested.length > 0 ? 0x40 : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(ceremony.counter ?? 0);
    return Buffer.concat([sha256(ceremony.rpId ?? 'localhost'), Buffer.from([flags]), counter, attested]);
  };
  const clientData = (type: string, { challenge, origin = apiUrl }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const credential = {
    id: toBase64Url(id),
    rawId: toBase64Url(id),
    type: 'public-key',
    clientExtensionResults: {},
  };
  return {
    id: credential.id,
    create(ceremony: Ceremony & { userHandle: string }) {
      userHandle = ceremony.userHandle;
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey]);
      const data = authenticatorData(ceremony, attested);
      // {fmt: 'none', attStmt: {}, authData: data}
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ]);
      const clientDataJSON = toBase64Url(clientData('webauthn.create', ceremony));
      return {
        ...credential,
        response: { clientDataJSON, attestationObject: toBase64Url(attestationObject) },
      };
    },
    get(ceremony: Ceremony) {
      const data = authenticatorData(ceremony);
      const json = clientData('webauthn.get', ceremony);
      const signature = sign('sha256', Buffer.concat([data, sha256(json)]), privateKey);
      const response = {
        clientDataJSON: toBase64Url(json),
        authenticatorData: toBase64Url(data),
        signature: toBase64Url(signature),
        userHandle: ceremony.userHandle ?? userHandle,
      };
      return { ...credential, response };
    },
  };
}
export type Authenticator = ReturnType<typeof createAuthenticator>;
