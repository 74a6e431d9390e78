import { Wallet } from 'ethers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { linkWallet } from '../../../shared/accounts/wallets/link-wallet.ts';
import { createChallengeMessage } from '../../../shared/accounts/wallets/wallet-challenge.ts';
import { type Backend, startBackend } from '../../support/backend.ts';
import { insertPerson } from '../../support/shop.ts';
import { explore, gateRequests } from './explore.ts';

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
  Object.assign(process.env, {
    JWT_ACCESS_SECRET: 'only-for-tests-access-key-0123456789',
    PUBLIC_URL: 'https://shop.example',
  });
});
afterAll(() => backend?.stop());

it('a repeated request to link a wallet succeeds in every interleaving with the first one', async () => {
  let userId = '';
  let address = '';
  gateRequests(() => [userId, address]);
  const interleavings = await explore(
    async () => {
      const wallet = Wallet.createRandom();
      address = wallet.address;
      userId = await insertPerson();
      const message = await createChallengeMessage({ address, chainId: 31_337, purpose: 'link' }, userId);
      const signature = await wallet.signMessage(message);
      const link = () => linkWallet(userId, { message, signature });
      return { first: link, repeated: link };
    },
    async ({ results, schedule }) => {
      const linked = { status: 'fulfilled', value: { walletAddress: address, walletVerified: true } };
      expect(results, schedule.join(' ')).toMatchObject({ first: linked, repeated: linked });
    },
  );
  expect(interleavings).toBeGreaterThan(10);
});
