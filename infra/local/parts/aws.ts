/** Options of AWS SDK clients for the local stack. The local DynamoDB and SQS servers accept any credentials. */
export const region = 'us-east-1';
export const accountId = '000000000000';
export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
