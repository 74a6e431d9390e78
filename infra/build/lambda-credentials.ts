import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Stands in for the SDK's chain of credential providers, in every bundle. Lambda hands its credentials over in
 * environment variables; files, single sign-on and instance metadata can't be there, and cost 170 KB.
 */
export const defaultProvider = () => fromEnv();
