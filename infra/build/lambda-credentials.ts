import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Stands in for the SDK's chain of credential providers, in every bundle. Lambda passes its credentials in environment
 * variables; files, single sign-on and instance metadata don't exist there. Without it the function of gateway-a's
 * webhook weighs 423 KB instead of 287 and takes 39 ms instead of 31 to load (medians of 31 in turns, 2026-11-22).
 */
export const defaultProvider = () => fromEnv();
