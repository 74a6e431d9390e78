import { parseArgs } from 'node:util';
import { type JsonRpcProvider, MaxUint256, Wallet } from 'ethers';
import { releaseOf } from '../../shared/chain/release.ts';
import { address, chainFrom, given, keyAddress, reportFailure, webUrl } from '../contracts/arguments.ts';
import { connect } from '../contracts/connect.ts';
import { metadataCalls } from '../contracts/metadata-calls.ts';

// npm run refresh-metadata -- --chain 137 --contract 0x…

const usage =
  'npm run refresh-metadata -- --chain <id> --contract <address> [--rpc-url <url>] ' +
  '[--token <id> | --from <id> --to <id> | --api-url <url>] [--calldata]';

/** Longer than any chain in use takes to mine a transaction that pays the usual fee. */
const miningMilliseconds = 5 * 60_000;

try {
  const { values } = parseArgs({
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
  const { chainId, rpcUrl } = chainFrom(values, process.env);
  const contract = address(given(values.contract, '--contract'), '--contract');
  const range = rangeFrom(values);
  const apiUrl = values['api-url'] && webUrl(values['api-url'], '--api-url');
  if (range && apiUrl) throw new Error('Give --api-url, which concerns all tokens, or a range, not both');
  // A multi-signature wallet sends the calls itself.
  const adminKey = values.calldata ? undefined : adminKeyFrom(process.env);

  const provider = await connect(rpcUrl, chainId);
  try {
    const release = releaseOf(await provider.getCode(contract));
    if (!release) throw new Error(`The contract ${contract} is of no known release`);
    const calls = metadataCalls(release, { chainId, contract, apiUrl, range });
    for (const data of calls) {
      if (adminKey) console.log(`transactionHash: ${await send(provider, adminKey, contract, data)}`);
      else console.log(`to: ${contract}\ndata: ${data}`);
    }
  } finally {
    provider.destroy();
  }
} catch (error) {
  reportFailure('Not refreshed', error, usage);
}

function adminKeyFrom({ ADMIN_PRIVATE_KEY: key }: NodeJS.ProcessEnv): string {
  const adminKey = given(
    key,
    'ADMIN_PRIVATE_KEY in the environment, or --calldata to send the call yourself',
  );
  keyAddress(adminKey, 'ADMIN_PRIVATE_KEY');
  return adminKey;
}

function rangeFrom({ token, from, to }: { token?: string; from?: string; to?: string }) {
  if (token !== undefined) {
    if (from !== undefined || to !== undefined) throw new Error('Give --token, or --from and --to, not both');
    return { from: tokenId(token, '--token'), to: tokenId(token, '--token') };
  }
  if (from === undefined && to === undefined) return undefined;
  const range = { from: tokenId(given(from, '--from'), '--from'), to: tokenId(given(to, '--to'), '--to') };
  if (range.to < range.from) throw new Error('--to must not be before --from');
  return range;
}

function tokenId(text: string, name: string): bigint {
  const id = /^\d+$/.test(text) ? BigInt(text) : undefined;
  if (id === undefined || id > MaxUint256) throw new Error(`${name} must be a token id, but is ${text}`);
  return id;
}

/** @returns the transaction's hash, once it is mined. @throws Error when the admin may not do it, without sending. */
async function send(provider: JsonRpcProvider, key: string, to: string, data: string): Promise<string> {
  const transaction = await new Wallet(key, provider).sendTransaction({ to, data });
  await transaction.wait(1, miningMilliseconds).catch((error) => {
    if (error.code !== 'TIMEOUT') throw error;
    throw new Error(`Transaction ${transaction.hash} is still waiting to be mined`);
  });
  return transaction.hash;
}
