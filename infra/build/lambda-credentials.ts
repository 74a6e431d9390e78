import { fromEnv } from '@aws-sdk/credential-provider-env';

/**
 * Replaces the SDK's chain of credential providers in every bundle. Lambda passes credentials in environment variables;
 * files, single sign-on and instance metadata don't exist there. This reduces gateway-a's webhook function from 423 KB
 * to 287 and its load time from 39 ms to 31 (medians of 31 alternating runs, 2026-11-22).
 */
export const defaultProvider = () => fromEnv();
