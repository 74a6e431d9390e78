import { execFile } from 'node:child_process';
import path from 'node:path';
import { Interface, type InterfaceAbi, type LogDescription } from 'ethers';
import { startAnvil } from '../support/chain.ts';

/**
 * A minimal client of anvil, since the contract tests make tens of thousands of calls. Anvil signs for its accounts and
 * mines each transaction immediately.
 */
export interface Chain {
  url: string;
  /** Funded accounts that may be used as `from`. */
  accounts: string[];
  /** Sends a transaction. If it would revert, returns the error without sending it. */
  execute(from: string, contract: DeployedContract, method: string, args: unknown[]): Promise<Outcome>;
  /** Returns the data with which a call reverts; `0x` when it succeeds. */
  revertData(from: string, contract: DeployedContract, method: string, args: unknown[]): Promise<string>;
  /** The arguments of all events with this name that a contract has emitted, since its deployment. */
  events(contract: DeployedContract, name: string): Promise<unknown[][]>;
  /** Calls a view function. @throws Error with the name of the contract's error */
  read(contract: DeployedContract, method: string, args: unknown[]): Promise<unknown>;
  deploy(
    from: string,
    compiled: { abi: InterfaceAbi; bytecode: string },
    args: unknown[],
  ): Promise<DeployedContract>;
  /** Advances the chain's time and mines a block. */
  advanceTime(seconds: number): Promise<void>;
  /** The code at an address, hex with 0x. */
  code(address: string): Promise<string>;
  /** The events of a mined transaction. */
  logs(transactionHash: string): Promise<Receipt['logs']>;
  stop(): Promise<void>;
}

export interface DeployedContract {
  address: string;
  interface: Interface;
}

export interface Outcome {
  /** Name of the contract's error when it reverted. */
  error: string | undefined;
  events: LogDescription[];
  gasUsed: number;
}

interface Receipt {
  status: string;
  gasUsed: string;
  contractAddress: string;
  logs: { topics: string[]; data: string }[];
}

/** A gas limit that suffices for every measured call. With a fixed limit, anvil does not estimate the gas. */
const gas = '0xf42400';

export async function startChain(): Promise<Chain> {
  const anvil = await startAnvil();

  async function rpc<Result>(method: string, ...params: unknown[]): Promise<Result> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(anvil.url, { method: 'POST', headers, body });
    const { result, error } = (await response.json()) as { result: Result; error?: RpcError };
    if (error) throw Object.assign(new Error(error.message), { data: error.data });
    return result;
  }

  async function send(transaction: object): Promise<Receipt> {
    const receipt = await rpc<Receipt>('eth_sendTransactionSync', { ...transaction, gas });
    if (receipt.status !== '0x1') throw new Error('The transaction reverted although its dry run did not');
    return receipt;
  }

  return {
    url: anvil.url,
    accounts: (await rpc<string[]>('eth_accounts')).map((account) => account.toLowerCase()),
    stop: anvil.stop,
    advanceTime: async (seconds) => {
      await rpc('evm_increaseTime', seconds);
      await rpc('evm_mine');
    },
    code: (address) => rpc<string>('eth_getCode', address, 'latest'),

    logs: async (hash) => (await rpc<Receipt>('eth_getTransactionReceipt', hash)).logs,

    async execute(from, contract, method, args) {
      const data = contract.interface.encodeFunctionData(method, args);
      const transaction = { from, to: contract.address, data };
      try {
        await rpc('eth_call', { ...transaction, gas });
      } catch (error) {
        return { error: revertReason(contract.interface, error), events: [], gasUsed: 0 };
      }
      const { logs, gasUsed } = await send(transaction);
      const events = logs.map((log) => contract.interface.parseLog(log)).filter((event) => event !== null);
      return { error: undefined, events, gasUsed: Number(gasUsed) };
    },

    async revertData(from, contract, method, args) {
      const data = contract.interface.encodeFunctionData(method, args);
      return rpc('eth_call', { from, to: contract.address, data, gas }).then(
        () => '0x',
        (error: RpcError) => error.data ?? '0x',
      );
    },

    async events(contract, name) {
      const filter = { address: contract.address, fromBlock: '0x0' };
      const logs = await rpc<Receipt['logs']>('eth_getLogs', filter);
      return logs
        .map((log) => contract.interface.parseLog(log))
        .flatMap((event) => (event?.name === name ? [[...event.args]] : []));
    },

    async read(contract, method, args) {
      const data = contract.interface.encodeFunctionData(method, args);
      const answer = await rpc<string>('eth_call', { to: contract.address, data }).catch((error) => {
        throw new Error(revertReason(contract.interface, error));
      });
      const values = contract.interface.decodeFunctionResult(method, answer);
      return values.length === 1 ? values[0] : values;
    },

    async deploy(from, { abi, bytecode }, args) {
      const contract = new Interface(abi);
      const { contractAddress } = await send({ from, data: bytecode + contract.encodeDeploy(args).slice(2) });
      return { address: contractAddress, interface: contract };
    },
  };
}

interface RpcError {
  message: string;
  data?: string;
}

/** Returns the name of the contract's error. @throws the given error when it is anything else */
function revertReason(contract: Interface, error: unknown): string {
  const { data } = error as RpcError;
  const reason = data ? contract.parseError(data)?.name : undefined;
  if (!reason) throw error;
  return reason;
}

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs a script (path from the project's root) with the given environment only.
 * @throws the error of a script that did not start, or that a signal ended
 */
export function runCommand(script: string, args: string[], env: NodeJS.ProcessEnv): Promise<CommandResult> {
  const command = path.resolve(import.meta.dirname, '..', '..', script);
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [command, ...args], { env }, (error, stdout, stderr) => {
      const code = error ? error.code : 0;
      if (typeof code === 'number') resolve({ code, stdout, stderr });
      else reject(error);
    });
  });
}
