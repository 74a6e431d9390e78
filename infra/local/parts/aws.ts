/** Values for AWS SDK clients of the local stack, whose servers accept any credentials. */
export const region = 'us-east-1';
export const accountId = '000000000000';
export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
