/** Region, account and credentials of SDK clients on this machine. No local part checks the credentials. */
export const region = 'us-east-1';
export const accountId = '000000000000';
export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
