import type { ChainRpcName } from '../../shared/runtime/config.ts';
import {
  localSettings,
  type SecretName,
  type SettingName,
  secretNames,
  settingNames,
} from '../../shared/runtime/settings.ts';
import { chainId } from './services/chain.ts';
import { developmentWallet } from './services/contract.ts';

/** Secrets, settings and RPC endpoints by name. */
export type Configuration = Partial<Record<SecretName | SettingName | ChainRpcName, string>>;

/** Base URLs of the servers in the local stack. */
export interface Addresses {
  apiUrl: string;
  sandboxUrl: string;
  chainRpcUrl: string;
}

/**
 * Returns the configuration: the development values, overridden by environment variables of the same names. An empty
 * variable means "not configured".
 */
export function resolveConfiguration(addresses: Addresses, env: NodeJS.ProcessEnv): Configuration {
  const chains = Object.keys(env).filter((name) => /^CHAIN_\d+_RPC_URLS$/.test(name));
  const overridden = [...secretNames, ...settingNames, ...chains].filter((name) => env[name] !== undefined);
  const values: Configuration = {
    ...localSettings({
      ...addresses,
      minterKey: developmentWallet(1).privateKey,
      treasury: developmentWallet(2).address,
    }),
    [`CHAIN_${chainId}_RPC_URLS`]: addresses.chainRpcUrl,
    ...Object.fromEntries(overridden.map((name) => [name, env[name]])),
  };
  return { PAYMENT_CHAINS: listChainIds(values), ...values };
}

/** Returns the ids of the chains with an RPC endpoint, separated by commas. */
function listChainIds(values: Configuration): string {
  const configured = Object.entries(values).flatMap(([name, value]) => (value ? [name] : []));
  return configured.flatMap((name) => /^CHAIN_(\d+)_RPC_URLS$/.exec(name)?.[1] ?? []).join(',');
}
