import { type HDNodeWallet, Wallet } from 'ethers';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createFundedAccount,
  deployContractWallet,
  linkWallet,
  requestChallenge,
  requestSignedChallenge,
  verifyWallet,
} from '../support/chain.ts';
import { anonymous, cookieOf, type Person, registerUser } from '../support/fixtures.ts';
import { call, errorOf, sortedStatuses, viewerHeaders } from '../support/http.ts';
import { awaitMail } from '../support/mailbox.ts';

let user: Person;
let other: Person;
beforeAll(async () => {
  [user, other] = await Promise.all([registerUser(), registerUser()]);
});

const readUser = async ({ token }: Person) => (await call('GET', '/api/auth/me', { token })).body.user;
const unlinkWallet = ({ token }: Partial<Person>) => call('DELETE', '/api/auth/wallet', { token });

describe('linking a wallet', () => {
  it('stores the address as verified until the user enters another one', async () => {
    const person = await registerUser({ walletAddress: Wallet.createRandom().address });
    expect(await readUser(person)).toMatchObject({ walletVerified: false });
    const wallet = Wallet.createRandom();
    const answer = await linkWallet(person, wallet);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      user: { ...person.user, walletAddress: wallet.address, walletVerified: true },
    });
    expect(answer.cookies).toEqual([]);

    const body = { walletAddress: Wallet.createRandom().address };
    await person.patch('/api/auth/me', body);
    expect(await readUser(person)).toMatchObject({ ...body, walletVerified: false });
    await person.patch('/api/auth/me', { walletAddress: wallet.address });
    expect(await readUser(person)).toMatchObject({ walletVerified: true });
  });

  it('refuses a signature by another wallet, and a challenge for another caller or purpose', async () => {
    const [wallet, stranger] = [Wallet.createRandom(), Wallet.createRandom()];
    const message = await requestChallenge(user, wallet.address, 'link');
    expect(errorOf(await verifyWallet(user, message, await stranger.signMessage(message)))).toEqual([
      401,
      'invalid-signature',
    ]);
    const signature = await wallet.signMessage(message);
    expect(errorOf(await verifyWallet(other, message, signature))).toEqual([401, 'invalid-signature']);
    expect(errorOf(await verifyWallet(anonymous, message, signature))).toEqual([401, 'invalid-signature']);
    for (const purpose of ['login', 'contract'] as const) {
      const signedMessage = await requestSignedChallenge(user, wallet, purpose);
      expect(errorOf(await verifyWallet(user, signedMessage.message, signedMessage.signature))).toEqual([
        401,
        'invalid-signature',
      ]);
    }
    expect((await readUser(user)).walletAddress).toBeNull();
  });

  it('returns 200 to concurrent repetitions, and refuses the message after the wallet was unlinked', async () => {
    const person = await registerUser();
    const wallet = Wallet.createRandom();
    const { message, signature } = await requestSignedChallenge(person, wallet, 'link');
    const attempts = Array.from({ length: 8 }, () => verifyWallet(person, message, signature));
    expect(new Set((await Promise.all(attempts)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await unlinkWallet(person)).body.user).toMatchObject({ walletVerified: false });
    expect(errorOf(await verifyWallet(person, message, signature))).toEqual([401, 'invalid-signature']);
  });

  it('succeeds for only one of several accounts, until that account links a different wallet', async () => {
    const wallet = Wallet.createRandom();
    const people = await Promise.all([registerUser(), registerUser(), registerUser()]);
    const answers = await Promise.all(people.map((person) => linkWallet(person, wallet)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const loser = people[answers.findIndex(({ status }) => status === 409)] as Person;
    expect(errorOf(await linkWallet(loser, wallet))).toEqual([409, 'wallet-taken']);
    const winner = people[answers.findIndex(({ status }) => status === 200)] as Person;
    expect((await linkWallet(winner, Wallet.createRandom())).status).toBe(200);
    expect((await linkWallet(loser, wallet)).status).toBe(200);
  });

  it('does not change an account that entered the address without linking it', async () => {
    const wallet = Wallet.createRandom();
    const buyer = await registerUser({ walletAddress: wallet.address });
    const owner = await registerUser();
    expect((await linkWallet(owner, wallet)).status).toBe(200);
    expect(await readUser(buyer)).toMatchObject({ walletAddress: wallet.address, walletVerified: false });
    expect(errorOf(await linkWallet(buyer, wallet))).toEqual([409, 'wallet-taken']);
  });

  it('accepts the signature of a deployed contract wallet (ERC-1271), on its chain', async () => {
    const owner = (await createFundedAccount()).wallet;
    const address = await deployContractWallet(owner);
    const person = await registerUser();
    const message = await requestChallenge(person, address, 'link');
    const strangersSignature = await Wallet.createRandom().signMessage(message);
    expect(errorOf(await verifyWallet(person, message, strangersSignature))).toEqual([
      401,
      'invalid-signature',
    ]);
    const linkAnswer = await verifyWallet(person, message, await owner.signMessage(message));
    expect(linkAnswer.body.user).toMatchObject({ walletAddress: address, walletVerified: true });

    const loginMessage = await requestChallenge(anonymous, address, 'login');
    const answer = await verifyWallet(anonymous, loginMessage, await owner.signMessage(loginMessage));
    expect(answer.body.user.id).toBe(person.user.id);
  });
});

describe('the wallet of an account whose address is proved', () => {
  const mailedToken = async ({ user }: Person, subject: string) =>
    /token=([\w-]+)/.exec((await awaitMail(user.email, subject)).body.text)?.[1];
  const canLogIn = async (wallet: Wallet | HDNodeWallet) => {
    const { message, signature } = await requestSignedChallenge(anonymous, wallet, 'login');
    return (await verifyWallet(anonymous, message, signature)).status === 200;
  };

  it('is unlinked and cleared by a password reset, and linking it was mailed', async () => {
    const squatter = await registerUser();
    const wallet = Wallet.createRandom();
    await linkWallet(squatter, wallet);
    const mail = await awaitMail(squatter.user.email, 'A wallet was linked');
    expect(mail.body.text).toContain(wallet.address);
    const { email } = squatter.user;
    await call('POST', '/api/auth/forgot-password', { body: { email } });
    const token = await mailedToken(squatter, 'Reset your password');
    const body = { token, password: 'the new password' };
    expect((await call('POST', '/api/auth/reset-password', { body })).status).toBe(200);
    expect(await canLogIn(wallet)).toBe(false);
    const login = { body: { email, password: 'the new password' } };
    expect((await call('POST', '/api/auth/login', login)).body.user).toMatchObject({
      walletAddress: null,
      walletVerified: false,
      emailVerified: true,
    });
  });

  it.each([
    ['stays when its owner confirms the address in a session', true],
    ['is cleared when somebody without a session confirms the address', false],
  ])('%s', async (_, isLoggedIn) => {
    const person = await registerUser();
    const wallet = Wallet.createRandom();
    await linkWallet(person, wallet);
    const body = { token: await mailedToken(person, 'Confirm your e-mail address') };
    const answer = await call('POST', '/api/auth/verify-email', {
      body,
      ...(isLoggedIn && { token: person.token }),
    });
    expect(answer.body.user).toMatchObject({
      emailVerified: true,
      walletAddress: isLoggedIn ? wallet.address : null,
    });
    expect(await canLogIn(wallet)).toBe(isLoggedIn);
  });
});

describe('logging in with a wallet', () => {
  it('opens a session for the account that linked the wallet, once per message', async () => {
    const person = await registerUser();
    const wallet = Wallet.createRandom();
    await linkWallet(person, wallet);
    const { message, signature } = await requestSignedChallenge(anonymous, wallet, 'login');
    const answer = await verifyWallet(anonymous, message, signature);
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Login successful', user: { id: person.user.id, walletVerified: true } },
    });
    expect(await readUser({ ...person, token: answer.body.token })).toMatchObject({ id: person.user.id });
    const refreshAnswer = await call('POST', '/api/auth/refresh-token', { cookie: cookieOf(answer) });
    expect(refreshAnswer.status).toBe(200);
    expect(errorOf(await verifyWallet(anonymous, message, signature))).toEqual([401, 'invalid-signature']);
  });

  it('is limited by IP address where nodes have to be asked, and not with a private key', async () => {
    const { message, signature } = await requestSignedChallenge(anonymous, Wallet.createRandom(), 'login');
    const wrongSignature = await Wallet.createRandom().signMessage(message);
    const headers = viewerHeaders();
    const verify = (signed: string, from = headers) =>
      anonymous.post('/api/auth/wallet/verify', { message, signature: signed }, { headers: from });
    const answers = await Promise.all(Array.from({ length: 22 }, () => verify(wrongSignature)));
    expect(sortedStatuses(answers)).toEqual([...Array(20).fill(401), 429, 429]);
    const refusal = await verify(wrongSignature);
    expect(errorOf(refusal)).toEqual([429, 'too-many-attempts']);
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(errorOf(await verify(signature))).toEqual([401, 'unknown-wallet']);
    expect(errorOf(await verify(wrongSignature, viewerHeaders()))).toEqual([401, 'invalid-signature']);
  });

  it('is refused for a wallet that an account has entered without linking it', async () => {
    const wallet = Wallet.createRandom();
    await registerUser({ walletAddress: wallet.address });
    const { message, signature } = await requestSignedChallenge(anonymous, wallet, 'login');
    expect(errorOf(await verifyWallet(anonymous, message, signature))).toEqual([401, 'unknown-wallet']);
  });

  it('is refused after the wallet was unlinked', async () => {
    const person = await registerUser();
    const wallet = Wallet.createRandom();
    await linkWallet(person, wallet);
    expect((await unlinkWallet(person)).status).toBe(200);
    expect((await unlinkWallet(person)).status).toBe(200);
    expect(await readUser(person)).toMatchObject({ walletAddress: wallet.address, walletVerified: false });
    const { message, signature } = await requestSignedChallenge(anonymous, wallet, 'login');
    expect(errorOf(await verifyWallet(anonymous, message, signature))).toEqual([401, 'unknown-wallet']);
    expect(errorOf(await unlinkWallet({}))).toEqual([401, 'unauthenticated']);
  });
});
