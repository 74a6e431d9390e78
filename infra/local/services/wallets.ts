import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import forge from 'node-forge';
import type { SecretName } from '../../../shared/runtime/settings.ts';

/**
 * Makes the secrets that sign wallet passes, anew at each start. Phones refuse these passes, since Apple and Google did not
 * issue the certificates; other tools verify them.
 */
export async function makeWalletSecrets(): Promise<Pick<Record<SecretName, string>, WalletSecret>> {
  const [authority, signer] = await Promise.all([generateKey(), generateKey()]);
  const authorityName = [{ name: 'commonName', value: 'Boxoffice development authority' }];
  const signerName = [
    { type: '0.9.2342.19200300.100.1.1', value: 'pass.test.boxoffice.ticket' },
    { name: 'commonName', value: 'Pass Type ID: pass.test.boxoffice.ticket' },
    { name: 'organizationalUnitName', value: 'BOXOFFICE1' },
  ];
  return {
    APPLE_PASS_CERTIFICATE: [
      certify(signerName, signer.publicKey, { issuer: authorityName, key: authority.privateKey }),
      signer.privateKey,
      certify(authorityName, authority.publicKey, { issuer: authorityName, key: authority.privateKey }),
    ].join('\n'),
    GOOGLE_WALLET_KEY: JSON.stringify({
      client_email: 'passes@boxoffice.test',
      private_key: signer.privateKey,
    }),
  };
}

type WalletSecret = 'APPLE_PASS_CERTIFICATE' | 'GOOGLE_WALLET_KEY';

const generateKey = () =>
  promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

/** Makes a certificate that is valid for a year from now on, as PEM. */
function certify(
  subject: forge.pki.CertificateField[],
  publicKey: string,
  { issuer, key }: { issuer: forge.pki.CertificateField[]; key: string },
): string {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  certificate.serialNumber = subject === issuer ? '01' : '02';
  const { validity } = certificate;
  validity.notBefore = new Date(Date.now() - 60_000);
  validity.notAfter = new Date(Date.now() + 365 * 24 * 60 * 60 * 1000);
  certificate.setSubject(subject);
  certificate.setIssuer(issuer);
  certificate.setExtensions([{ name: 'basicConstraints', cA: subject === issuer }]);
  certificate.sign(forge.pki.privateKeyFromPem(key), forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}
