import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { requiredSetting } from './config.ts';

let cachedClient: S3Client | undefined;

/** Returns the client, created at first use. The SDK sends a request up to three times, and waits 5 s for each response. */
function client(): S3Client {
  cachedClient ??= new S3Client({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  });
  return cachedClient;
}

const bucket = () => ({ Bucket: requiredSetting('BUCKET_NAME') });

/** The form with which a browser or a program posts a file to the bucket. */
export interface UploadForm {
  url: string;
  fields: Record<string, string>;
}

/**
 * Signs the upload of one object: nothing but this key, this type and these metadata, up to the maximum size. S3 enforces
 * the conditions.
 * @param metadata stored with the object, lower-case names
 */
export async function signUpload(
  key: string,
  upload: {
    contentType: string;
    maximumBytes: number;
    expiresInSeconds: number;
    metadata: Record<string, string>;
  },
): Promise<UploadForm> {
  const metadata = Object.entries(upload.metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]);
  return createPresignedPost(client(), {
    ...bucket(),
    Key: key,
    // The fields become conditions, too.
    Fields: { 'Content-Type': upload.contentType, ...Object.fromEntries(metadata) },
    Conditions: [['content-length-range', 1, upload.maximumBytes]],
    Expires: upload.expiresInSeconds,
  });
}

/** Reads an object with its metadata; undefined without one. */
export async function readObject(
  key: string,
): Promise<{ bytes: Buffer; metadata: Record<string, string> } | undefined> {
  try {
    const { Body, Metadata = {} } = await client().send(new GetObjectCommand({ ...bucket(), Key: key }));
    return { bytes: Buffer.from((await Body?.transformToByteArray()) ?? []), metadata: Metadata };
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

export async function writeObject(key: string, bytes: Uint8Array, contentType: string): Promise<void> {
  await client().send(new PutObjectCommand({ ...bucket(), Key: key, Body: bytes, ContentType: contentType }));
}

/** Deletes an object, if there is one. */
export async function deleteObject(key: string): Promise<void> {
  await client().send(new DeleteObjectCommand({ ...bucket(), Key: key }));
}

/** Lists the first 1,000 keys with a prefix. */
export async function listKeys(prefix: string): Promise<string[]> {
  const { Contents = [] } = await client().send(new ListObjectsV2Command({ ...bucket(), Prefix: prefix }));
  return Contents.flatMap(({ Key }) => Key ?? []);
}
