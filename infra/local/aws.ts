/** What every SDK client needs on this machine. The credentials are made up: no local part checks them. */
export const region = 'us-east-1';
export const accountId = '000000000000';
export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
