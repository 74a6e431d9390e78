import { parseArgs } from 'node:util';
import { Contract, MaxUint256, Wallet, ZeroHash } from 'ethers';
import { isTicketCode } from '../../shared/chain/contract-calls.ts';
import {
  addressOfKey,
  parseAccountAddress,
  parseChain,
  parseHttpUrl,
  requireArgument,
} from '../contracts/chain-arguments.ts';
import { connect } from '../contracts/connect-to-chain.ts';
import { metadataCalls } from '../contracts/metadata-calls.ts';

/** Longer than any supported chain needs to mine a transaction with the usual fee. */
const miningTimeoutMilliseconds = 5 * 60_000;

/** Makes wallets and marketplaces read the metadata of a contract again. */
export async function refreshMetadata(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      chain: { type: 'string' },
      'rpc-url': { type: 'string' },
      contract: { type: 'string' },
      token: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      'api-url': { type: 'string' },
      calldata: { type: 'boolean' },
    },
  });
  const { chainId, rpcUrl } = parseChain(values, process.env);
  const contract = parseAccountAddress(requireArgument(values.contract, '--contract'), '--contract');
  const range = parseRange(values);
  const apiUrl = parseApiUrl(values['api-url']);
  if (range && apiUrl) throw new Error('Give --api-url, which applies to all tokens, or a range, not both');
  // With --calldata the calls are only printed, for an admin that is a multi-signature wallet.
  const adminKey = values.calldata ? undefined : parseAdminKey(process.env);

  const provider = await connect(rpcUrl, chainId);
  try {
    if (!isTicketCode(await provider.getCode(contract)))
      throw new Error(`The contract ${contract} does not have the code of the ticket contract`);
    const calls = metadataCalls({ chainId, contract, apiUrl, range });
    if (adminKey) await sendCalls(new Wallet(adminKey, provider), contract, calls);
    else for (const data of calls) console.log(`to: ${contract}\ndata: ${data}`);
  } finally {
    provider.destroy();
  }
}

function parseAdminKey({ ADMIN_PRIVATE_KEY: key }: NodeJS.ProcessEnv): string {
  const adminKey = requireArgument(
    key,
    'ADMIN_PRIVATE_KEY in the environment, or --calldata to send the call yourself',
  );
  addressOfKey(adminKey, 'ADMIN_PRIVATE_KEY');
  return adminKey;
}

function parseApiUrl(text: string | undefined): string | undefined {
  return text === undefined ? undefined : parseHttpUrl(text, '--api-url');
}

function parseRange({ token, from, to }: { token?: string; from?: string; to?: string }) {
  if (token !== undefined) {
    if (from !== undefined || to !== undefined) throw new Error('Give --token, or --from and --to, not both');
    return { from: parseTokenId(token, '--token'), to: parseTokenId(token, '--token') };
  }
  if (from === undefined && to === undefined) return undefined;
  const range = {
    from: parseTokenId(requireArgument(from, '--from'), '--from'),
    to: parseTokenId(requireArgument(to, '--to'), '--to'),
  };
  if (range.to < range.from) throw new Error('--to must not be before --from');
  return range;
}

function parseTokenId(text: string, name: string): bigint {
  const id = /^\d+$/.test(text) ? BigInt(text) : undefined;
  if (id === undefined || id > MaxUint256) throw new Error(`${name} must be a token id, but is ${text}`);
  return id;
}

/**
 * Sends the calls one by one.
 * @throws Error when the wallet isn't the contract's admin, or a call isn't mined in time
 */
async function sendCalls(admin: Wallet, contract: string, calls: string[]): Promise<void> {
  const roles = new Contract(contract, ['function hasRole(bytes32, address) view returns (bool)'], admin);
  if (!(await roles.getFunction('hasRole')(ZeroHash, admin.address))) {
    throw new Error(`${admin.address} is not the contract’s admin`);
  }
  for (const data of calls) {
    const transaction = await admin.sendTransaction({ to: contract, data });
    console.log(`transactionHash: ${transaction.hash}`);
    await transaction.wait(1, miningTimeoutMilliseconds).catch((error) => {
      if (error.code !== 'TIMEOUT') throw error;
      throw new Error(`Transaction ${transaction.hash} is not mined yet`);
    });
  }
}
