import { getAddress, Wallet, ZeroAddress } from 'ethers';

/** What the commands about contracts have in common. Every error is one sentence that says what to give. */

/** Which chain, and where it is reached. */
export interface ChainArguments {
  chainId: number;
  rpcUrl: string;
}

/** @throws Error when the chain is missing or no number, or when no endpoint is given for it. */
export function chainFrom(
  values: { chain?: string; 'rpc-url'?: string },
  env: NodeJS.ProcessEnv,
): ChainArguments {
  const chainId = Number(given(values.chain, '--chain'));
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw new Error('--chain must be the number of a chain');
  const variable = `CHAIN_${chainId}_RPC_URLS`;
  const [rpcUrl] = (values['rpc-url'] ?? env[variable] ?? '').split(',').map((url) => url.trim());
  return { chainId, rpcUrl: given(rpcUrl, `--rpc-url, or ${variable} in the environment`) };
}

/** @throws Error when there is no value. */
export function given(value: string | undefined, name: string): string {
  if (!value) throw new Error(`Give ${name}`);
  return value;
}

/** @returns the address with its checksum. @throws Error when it is none, or the zero address. */
export function address(text: string, name: string): string {
  const parsed = parseAddress(text, name);
  if (parsed === ZeroAddress) throw new Error(`${name} must not be the zero address`);
  return parsed;
}

function parseAddress(text: string, name: string): string {
  try {
    return getAddress(text);
  } catch {
    throw new Error(`${name} must be an address, and its checksum right, but is ${text}`);
  }
}

/** @returns the address of a private key. @throws Error when it is none. */
export function keyAddress(key: string, name: string): string {
  try {
    return new Wallet(key).address;
  } catch {
    throw new Error(`${name} is not a private key`);
  }
}

/** @returns the URL without a slash at its end. @throws Error when it is no http(s) URL. */
export function webUrl(text: string, name: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new Error(`${name} must be an http(s) URL, but is ${text}`);
  }
  return text.replace(/\/+$/, '');
}

/** Prints why a command failed. ethers' full messages contain whole transactions; the short ones do not. */
export function reportFailure(prefix: string, error: unknown, usage: string): void {
  const { code, shortMessage, message } = error as { code?: string; shortMessage?: string; message: string };
  console.error(`${prefix}: ${shortMessage ?? message}`);
  if (code?.startsWith('ERR_PARSE_ARGS')) console.error(`Usage: ${usage}`);
  process.exitCode = 1;
}
