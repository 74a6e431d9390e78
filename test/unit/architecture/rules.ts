import type { IForbiddenRuleType } from 'dependency-cruiser';

/** The rooms of shared/, from the ground up. A room imports rooms below it only. */
const rooms = [
  'core',
  'runtime',
  'dynamo',
  'http',
  'messaging',
  'chain',
  'payments',
  'accounts',
  'catalog',
  'money',
  'orders',
  'tickets',
  'nft',
  'privacy',
  'jobs',
];

/** The imports of a higher room, each with its reason: at most three. */
const upwardImports = [
  {
    from: 'orders',
    to: 'nft',
    reason: 'a refund starts the burn of its tokens in the transaction that starts the refund',
  },
  { from: 'catalog', to: 'money', reason: 'an event’s summary shows its earnings' },
  {
    from: 'catalog',
    to: 'tickets',
    reason: 'the holders of received seats see an event that became a draft',
  },
];

const roomRules = rooms.map((room, index): IForbiddenRuleType => {
  const allowed = upwardImports.filter(({ from }) => from === room).map(({ to }) => to);
  const above = rooms.slice(index + 1).filter((other) => !allowed.includes(other));
  return {
    name: `${room}-imports-rooms-below-it`,
    severity: 'error',
    from: { path: `^shared/${room}/` },
    to: { path: `^shared/(${above.join('|')})/` },
  };
});

/**
 * Pure files contain only rules and types. These are all files of shared/core, the file that is named after its folder
 * (orders/order.ts, ledger/ledger.ts), and files with these names.
 */
const pure = [
  '^shared/core/',
  '/([a-z]+?)s?/\\1[.]ts$',
  '^shared/.+/(quotas|lifecycle|views|fields)[.]ts$',
  '^shared/.+-(view|input|request)[.]ts$',
];
const store = '/store\\.ts$';
/** The code that receives requests and messages. */
const entryPoints = '^shared/(http/|runtime/function\\.ts|payments/webhook-endpoint\\.ts)';

export const rules: IForbiddenRuleType[] = [
  { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  ...roomRules,
  {
    name: 'pure-files-use-no-input-output-or-clock',
    severity: 'error',
    from: { path: pure, pathNot: '^(functions|infra)/' },
    // Code for ids uses random numbers and the time. Hashing is pure.
    to: {
      path: [
        '^shared/(runtime|dynamo|http)/',
        '^(?!shared/|crypto$|ethers/|node_modules/(zod|ethers|i18next)/)',
      ],
      reachable: true,
    },
  },
  {
    name: 'handlers-import-shared-code-only',
    comment: 'Besides shared code, a handler imports zod and Lambda’s types.',
    severity: 'error',
    from: { path: '^functions/' },
    to: { path: '.', pathNot: '^shared/|^node_modules/(zod|@types/aws-lambda)/|^aws-lambda$' },
  },
  {
    name: 'use-cases-know-no-transport',
    comment: 'A use case imports neither HTTP code, Lambda’s types nor the SDK.',
    severity: 'error',
    from: {
      path: '^shared/',
      pathNot: `${entryPoints}|^shared/(core|runtime|dynamo|payments|chain)/|${store}`,
    },
    to: { path: `${entryPoints}|^node_modules/(@aws-sdk|@middy|@types/aws-lambda)/|^aws-lambda$` },
  },
  {
    name: 'stores-import-no-stores',
    severity: 'error',
    from: { path: store },
    to: { path: `${store}|^shared/http/` },
  },
  {
    name: 'gateways-know-no-orders',
    comment: 'A payment provider’s adapter and the chain’s code import neither stores nor the table.',
    severity: 'error',
    from: { path: '^shared/(payments/gateway-[abc]|chain/)' },
    to: { path: `${store}|^shared/(http|dynamo)/` },
  },
  {
    name: 'shared-code-imports-shared-code-only',
    severity: 'error',
    from: { path: '^shared/' },
    to: { path: '^(functions|infra|test)/' },
  },
  {
    name: 'only-tests-import-tests',
    severity: 'error',
    from: { path: '^(functions|infra)/' },
    to: { path: '^test/' },
  },
];
