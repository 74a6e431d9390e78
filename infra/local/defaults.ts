import {
  type ChainRpcName,
  type SecretName,
  type SettingName,
  secretNames,
  settingNames,
} from '../../shared/runtime/config.ts';
import { chainId } from './parts/chain.ts';
import { developmentWallet } from './parts/contract.ts';

/** Secrets, settings and RPC endpoints by name. */
export type Configuration = Partial<Record<SecretName | SettingName | ChainRpcName, string>>;

/** Base URLs of the servers in the local stack. */
export interface Addresses {
  apiUrl: string;
  sandboxUrl: string;
  chainRpcUrl: string;
}

/**
 * Returns the values for development. The secrets in this file are public, which is safe since the stack accepts
 * connections from this machine only.
 */
function developmentValues({ apiUrl, sandboxUrl, chainRpcUrl }: Addresses): Configuration {
  return {
    JWT_ACCESS_SECRET: 'development-only-access-Qm4vX8cT1nZ6rL0wYb7KjH3sDp9GfUe2',
    JWT_REFRESH_SECRET: 'development-only-refresh-a7RkW2uN9xE5tB0oVi3MyC6qLh8ZdJs4',
    CHECK_IN_SECRET: 'development-only-check-in-r8GtLw3ZcQ6bNy1VhXo5MuKe7PsJd0Fa',
    ORIGIN_SECRET: 'development-only-origin-u5XbYc2KqMz9Wd7TnRf4Jh8Lp1Ge6Vs3',
    GATEWAY_A_SECRET: 'development-only-gateway-a-5PzKe8YwQ1tVn3RbXm7c',
    GATEWAY_B_SECRET_HASH: 'development-only-gateway-b-hash-J2fLq9UsHd6Ao4Wg',
    GATEWAY_B_SECRET_KEY: 'development-only-gateway-b-key-T8iNc0EyBv5Mx1Rk',
    GATEWAY_C_WEBHOOK_SECRET: 'development-only-gateway-c-webhook-Z3hGu7PoLw9Sd2',
    GATEWAY_C_SECRET_KEY: 'development-only-gateway-c-key-F6jCt4KaYq0Vb8Xe',
    MINTER_PRIVATE_KEY: developmentWallet(1).privateKey,
    TREASURY_ADDRESS: developmentWallet(2).address,
    GATEWAY_A_URL: `${sandboxUrl}/gateway-a`,
    GATEWAY_A_NAME: 'Card',
    GATEWAY_A_SIGNATURE_HEADER: 'x-gateway-a-signature',
    GATEWAY_B_URL: `${sandboxUrl}/gateway-b`,
    GATEWAY_B_NAME: 'Bank transfer',
    GATEWAY_C_URL: `${sandboxUrl}/gateway-c`,
    GATEWAY_C_NAME: 'International card',
    DEFAULT_GATEWAY: 'gateway-a',
    VERIFY_WITH_GATEWAY: 'false',
    ALLOWED_ORIGINS: apiUrl,
    HOLD_MINUTES: '15',
    // Deployed stages use 300. With this value a developer sees the retries of a failed payout or refund at once.
    RETRY_SECONDS: '0.25',
    // The storefront's address. The local API server also serves the storefront.
    PUBLIC_URL: apiUrl,
    MAIL_FROM: 'Boxoffice <tickets@boxoffice.test>',
    STAGE: 'local',
    [`CHAIN_${chainId}_RPC_URLS`]: chainRpcUrl,
  };
}

/**
 * Returns the configuration: the development values, overridden by environment variables of the same names. An empty
 * variable means "not configured".
 */
export function resolveConfiguration(addresses: Addresses, env: NodeJS.ProcessEnv): Configuration {
  const chains = Object.keys(env).filter((name) => /^CHAIN_\d+_RPC_URLS$/.test(name));
  const overridden = [...secretNames, ...settingNames, ...chains].filter((name) => env[name] !== undefined);
  const values: Configuration = {
    ...developmentValues(addresses),
    ...Object.fromEntries(overridden.map((name) => [name, env[name]])),
  };
  return { PAYMENT_CHAINS: listChainIds(values), ...values };
}

/** Returns the ids of the chains with an RPC endpoint, separated by commas. */
function listChainIds(values: Configuration): string {
  const configured = Object.entries(values).flatMap(([name, value]) => (value ? [name] : []));
  return configured.flatMap((name) => /^CHAIN_(\d+)_RPC_URLS$/.exec(name)?.[1] ?? []).join(',');
}
