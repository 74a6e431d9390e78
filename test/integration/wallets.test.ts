import { Wallet } from 'ethers';
import { beforeAll, describe, expect, it } from 'vitest';
import { challenge, deployContractWallet, fundedWallet } from '../support/contracts.ts';
import { type Answer, call } from '../support/http.ts';
import { cookieOf, type Person, registerUser } from '../support/people.ts';
import { linkWallet, signedChallenge, verifyWallet } from '../support/wallets.ts';

let user: Person;
let other: Person;
beforeAll(async () => {
  [user, other] = await Promise.all([registerUser(), registerUser()]);
});

const refusal = ({ status, headers }: Answer) => [status, headers.get('x-error-code')];
const me = async ({ token }: Person) => (await call('GET', '/api/auth/me', { token })).body.user;
const unlink = ({ token }: Partial<Person>) => call('DELETE', '/api/auth/wallet', { token });

describe('linking a wallet', () => {
  it('proves it and makes it the address that tickets are minted to', async () => {
    const person = await registerUser({ walletAddress: Wallet.createRandom().address });
    expect(await me(person)).toMatchObject({ walletVerified: false });
    const wallet = Wallet.createRandom();
    const answer = await linkWallet(person, wallet);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      user: { ...person.user, walletAddress: wallet.address, walletVerified: true },
    });
    expect(answer.cookies).toEqual([]);

    const body = { walletAddress: Wallet.createRandom().address };
    await call('PATCH', '/api/auth/me', { token: person.token, body });
    expect(await me(person)).toMatchObject({ ...body, walletVerified: false });
    await call('PATCH', '/api/auth/me', { token: person.token, body: { walletAddress: wallet.address } });
    expect(await me(person)).toMatchObject({ walletVerified: true });
  });

  it('is refused for a signature of another wallet, and for a challenge of another caller or purpose', async () => {
    const [wallet, stranger] = [Wallet.createRandom(), Wallet.createRandom()];
    const message = await challenge(user, wallet.address, 'link');
    expect(refusal(await verifyWallet(user, message, await stranger.signMessage(message)))).toEqual([
      401,
      'invalid-signature',
    ]);
    const signature = await wallet.signMessage(message);
    expect(refusal(await verifyWallet(other, message, signature))).toEqual([401, 'invalid-signature']);
    expect(refusal(await verifyWallet({}, message, signature))).toEqual([401, 'invalid-signature']);
    for (const purpose of ['login', 'contract'] as const) {
      const signed = await signedChallenge(user, wallet, purpose);
      expect(refusal(await verifyWallet(user, signed.message, signed.signature))).toEqual([
        401,
        'invalid-signature',
      ]);
    }
    expect((await me(user)).walletAddress).toBeNull();
  });

  it('is answered again when the client repeats it, but a message links once', async () => {
    const person = await registerUser();
    const wallet = Wallet.createRandom();
    const { message, signature } = await signedChallenge(person, wallet, 'link');
    const attempts = Array.from({ length: 8 }, () => verifyWallet(person, message, signature));
    expect(new Set((await Promise.all(attempts)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await unlink(person)).body.user).toMatchObject({ walletVerified: false });
    expect(refusal(await verifyWallet(person, message, signature))).toEqual([401, 'invalid-signature']);
  });

  it('belongs to one account at a time, also when two link at once', async () => {
    const wallet = Wallet.createRandom();
    const people = await Promise.all([registerUser(), registerUser(), registerUser()]);
    const answers = await Promise.all(people.map((person) => linkWallet(person, wallet)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const loser = people[answers.findIndex(({ status }) => status === 409)] as Person;
    expect(refusal(await linkWallet(loser, wallet))).toEqual([409, 'wallet-taken']);
    const winner = people[answers.findIndex(({ status }) => status === 200)] as Person;
    // Another one takes its place.
    expect((await linkWallet(winner, Wallet.createRandom())).status).toBe(200);
    expect((await linkWallet(loser, wallet)).status).toBe(200);
  });

  it('changes nothing for an account that only entered the address', async () => {
    const wallet = Wallet.createRandom();
    const buyer = await registerUser({ walletAddress: wallet.address });
    const owner = await registerUser();
    expect((await linkWallet(owner, wallet)).status).toBe(200);
    expect(await me(buyer)).toMatchObject({ walletAddress: wallet.address, walletVerified: false });
    expect(refusal(await linkWallet(buyer, wallet))).toEqual([409, 'wallet-taken']);
  });

  it('accepts the signature of a deployed contract wallet (ERC-1271), on its chain', async () => {
    const key = await fundedWallet();
    const address = await deployContractWallet(key);
    const person = await registerUser();
    const message = await challenge(person, address, 'link');
    const stranger = await Wallet.createRandom().signMessage(message);
    expect(refusal(await verifyWallet(person, message, stranger))).toEqual([401, 'invalid-signature']);
    const linked = await verifyWallet(person, message, await key.signMessage(message));
    expect(linked.body.user).toMatchObject({ walletAddress: address, walletVerified: true });

    const login = await challenge({}, address, 'login');
    const answer = await verifyWallet({}, login, await key.signMessage(login));
    expect(answer.body.user.id).toBe(person.user.id);
  });
});

describe('logging in with a wallet', () => {
  it('opens a session of the account that linked it, once a message', async () => {
    const person = await registerUser();
    const wallet = Wallet.createRandom();
    await linkWallet(person, wallet);
    const { message, signature } = await signedChallenge({}, wallet, 'login');
    const answer = await verifyWallet({}, message, signature);
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Login successful', user: { id: person.user.id, walletVerified: true } },
    });
    expect(await me({ ...person, token: answer.body.token })).toMatchObject({ id: person.user.id });
    const refreshed = await call('POST', '/api/auth/refresh-token', { cookie: cookieOf(answer) });
    expect(refreshed.status).toBe(200);
    expect(refusal(await verifyWallet({}, message, signature))).toEqual([401, 'invalid-signature']);
  });

  it('is refused for a wallet that is not linked, even when an account has entered it', async () => {
    const wallet = Wallet.createRandom();
    await registerUser({ walletAddress: wallet.address });
    const { message, signature } = await signedChallenge({}, wallet, 'login');
    expect(refusal(await verifyWallet({}, message, signature))).toEqual([401, 'unknown-wallet']);
  });

  it('ends with the link', async () => {
    const person = await registerUser();
    const wallet = Wallet.createRandom();
    await linkWallet(person, wallet);
    expect((await unlink(person)).status).toBe(200);
    expect((await unlink(person)).status).toBe(200);
    expect(await me(person)).toMatchObject({ walletAddress: wallet.address, walletVerified: false });
    const { message, signature } = await signedChallenge({}, wallet, 'login');
    expect(refusal(await verifyWallet({}, message, signature))).toEqual([401, 'unknown-wallet']);
    expect(refusal(await unlink({}))).toEqual([401, 'unauthenticated']);
  });
});
