import { DomainError } from '../../shared/core/errors.ts';

/** `npm run ops -- <command>`: the commands of operators. `--help` lists them; `<command> --help` shows the options. */

interface Command {
  summary: string;
  options: string;
  /** Loads the command. Each command loads only its own packages. */
  load: () => Promise<(args: string[]) => Promise<void>>;
}

const commands: Record<string, Command> = {
  preflight: {
    summary: 'list everything that would make a deployment of a stage fail',
    options: '[--stage <stage>] [--stage-file <file>]',
    load: async () => (await import('./preflight.ts')).runPreflight,
  },
  smoke: {
    summary: 'sell a ticket on a deployed stage whose payment providers are in test mode, and clean up',
    options: '--url <address of the API> [--origin <address of the storefront>] [--currency <code>]',
    load: async () => (await import('./smoke-test.ts')).runSmokeTest,
  },
  'load-test': {
    summary: 'order at a steady rate at a stage whose payment providers are in test mode, and clean up',
    options:
      '--url <address of the API> [--rate <orders a second>] [--seconds <number>] [--buyers <accounts>] ' +
      '[--currency <code>]',
    load: async () => (await import('./load-test.ts')).runLoadTest,
  },
  redrive: {
    summary: 'count dead letters, or move those of one queue back',
    options: '[--stage <stage>] [--queue <queue> [--per-second <number>]]',
    load: async () => (await import('./redrive.ts')).redrive,
  },
  trace: {
    summary: 'print the stack trace of a function, from a log line, with the lines of its source',
    options: '--function <name> [--file <file with the trace>] [--maps <folder>]',
    load: async () => (await import('./trace.ts')).printTrace,
  },
  'grant-role': {
    summary: 'grant a role to a user',
    options: '--email <address> --role USER|ORGANIZER|ADMIN [--unconfirmed]',
    load: async () => (await import('./grant-role.ts')).runGrantRole,
  },
  'reconcile-inventory': {
    summary: 'recompute every inventory counter from the orders, and print the differences',
    options: '[--export <folder>]',
    load: async () => (await import('./reconcile.ts')).reconcileInventory,
  },
  'reconcile-ledger': {
    summary: 'recompute every balance from the entries, and the entries from orders and payouts',
    options: '[--export <folder>]',
    load: async () => (await import('./reconcile.ts')).reconcileLedger,
  },
  'reconcile-promo-codes': {
    summary: 'recount the uses of promo codes from the orders',
    options: '[--export <folder>]',
    load: async () => (await import('./reconcile.ts')).reconcilePromoCodes,
  },
  'complete-refund': {
    summary: 'list the refunds to send manually, or record that one was sent',
    options: '[--order <id> --refund <number>|whole --transaction <hash>]',
    load: async () => (await import('./orders.ts')).completeRefund,
  },
  'settle-balance': {
    summary: 'list the balances that no gateway pays out, or record one that you then pay by hand',
    options: '[--organizer <user id> --currency <currency> --amount <amount> --transaction <id>]',
    load: async () => (await import('./settle-balance.ts')).runSettleBalance,
  },
  'clear-review': {
    summary: 'list the orders whose payment is under review, or end the review of one',
    options: '[--order <id> [--excess return|keep]]',
    load: async () => (await import('./orders.ts')).clearReview,
  },
  'deploy-contract': {
    summary: 'deploy a ticket contract',
    options:
      '--chain <id> --name <name> --symbol <symbol> [--rpc-url <url>] [--api-url <url>] [--minter <address>]... ' +
      '[--burner <address>]... [--admin <address>] [--base-uri <uri>] [--contract-uri <uri>] [--no-transfers]',
    load: async () => (await import('./contracts.ts')).deployContract,
  },
  'verify-contract': {
    summary: 'write the files that verify a contract’s source on a block explorer',
    options: '--chain <id> --transaction <hash of the deployment> [--rpc-url <url>] [--out <folder>]',
    load: async () => (await import('./contracts.ts')).verifyContract,
  },
  'refresh-metadata': {
    summary: 'make wallets and marketplaces read the metadata of a contract again',
    options:
      '--chain <id> --contract <address> [--rpc-url <url>] [--token <id> | --from <id> --to <id> | --api-url <url>] ' +
      '[--calldata]',
    load: async () => (await import('./contracts.ts')).refreshMetadata,
  },
  'minter-addresses': {
    summary: 'print the addresses of the minting accounts in MINTER_KMS_KEYS and MINTER_PRIVATE_KEY',
    options: '',
    load: async () => (await import('./contracts.ts')).printMinterAddresses,
  },
  simulate: {
    summary:
      'simulate a sale to 50,000 buyers, cold starts and a slow payment provider against the limits of AWS',
    options: '',
    load: async () => (await import('./simulations.ts')).simulateSale,
  },
  'simulate-faults': {
    summary: 'run the whole service against simulated faults, and print a history that breaks an invariant',
    options:
      '[--seed <number>] [--count <number>] [--length <operations>] [--only <operations>] ' +
      '[--without-faults <kinds>] [--story] [--trace] [--log] [--defects]',
    load: async () => (await import('./simulations.ts')).simulateFaults,
  },
};

const [name = '--help', ...args] = process.argv.slice(2);
const command = commands[name];
if (name === '--help') {
  console.log('npm run ops -- <command>\n');
  for (const [title, { summary }] of Object.entries(commands))
    console.log(`  ${title.padEnd(22)} ${summary}`);
} else if (!command) {
  console.error(`There is no command "${name}". npm run ops -- --help lists all commands.`);
  process.exitCode = 1;
} else if (args.includes('--help')) {
  console.log(`npm run ops -- ${name} ${command.options}\n\n${command.summary}`);
} else {
  try {
    const run = await command.load();
    await run(args);
  } catch (error) {
    reportFailure(error, `npm run ops -- ${name} ${command.options}`);
  }
}

/** Prints an error in one sentence. ethers' short message replaces its full one, which contains the whole transaction. */
function reportFailure(error: unknown, usage: string): void {
  const {
    code,
    shortMessage,
    message,
    name: kind,
  } = error as Error & { code?: string; shortMessage?: string };
  console.error(shortMessage ?? (message || kind));
  if (!(error instanceof DomainError) && code?.startsWith('ERR_PARSE_ARGS')) console.error(`Usage: ${usage}`);
  process.exitCode = 1;
}
