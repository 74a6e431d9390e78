import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A self-signed certificate for localhost. */
export interface Certificate {
  key: Buffer;
  cert: Buffer;
  /** The certificate's file, for NODE_EXTRA_CA_CERTS. */
  file: string;
}

/** Creates a certificate with openssl. @returns undefined where there is no openssl */
export function createCertificate(directory: string): Certificate | undefined {
  const [keyFile, file] = [path.join(directory, 'key.pem'), path.join(directory, 'certificate.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const output = ['-keyout', keyFile, '-out', file];
  try {
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...output],
      {
        stdio: 'ignore',
      },
    );
  } catch {
    return undefined;
  }
  return { key: readFileSync(keyFile), cert: readFileSync(file), file };
}
