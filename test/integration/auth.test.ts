import { describe, expect, it } from 'vitest';
import { cookieOf, createCaller, freshEmail, type Person, registerUser } from '../support/fixtures.ts';
import { type Answer, call } from '../support/http.ts';

const password = 'correct horse battery';
const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const register = (body: object) => call('POST', '/api/auth/register', { body });
const login = (email: unknown, password: unknown) =>
  call('POST', '/api/auth/login', { body: { email, password } });
const refresh = (cookie?: string) => call('POST', '/api/auth/refresh-token', { cookie });
const logout = (cookie?: string, query = '') => call('POST', `/api/auth/logout${query}`, { cookie });
const sendConcurrently = (times: number, send: (number: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: times }, (_, number) => send(number)));

function payloadOf(token: string) {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

/** Logs a user in again. Returns the refresh cookie of the new session. */
async function logInAgain({ user, password }: Person): Promise<string> {
  return cookieOf(await login(user.email, password));
}

describe('registering', () => {
  it('returns the user, a token and the refresh cookie', async () => {
    const email = freshEmail();
    const answer = await register({ email: ` ${email.toUpperCase()} `, password, name: 'Ann' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      message: 'Registration successful',
      token: expect.any(String),
      user: {
        id: expect.stringMatching(/^c[0-9a-z]{24}$/),
        email,
        name: 'Ann',
        role: 'USER',
        walletAddress: null,
        walletVerified: false,
        kycStatus: 'NONE',
        emailVerified: false,
      },
    });
    expect((await refresh(cookieOf(answer))).status).toBe(200);
  });

  it('creates one account for twenty concurrent requests with the same e-mail', async () => {
    const email = freshEmail();
    const answers = await sendConcurrently(20, (number) =>
      register({ email: number % 2 ? email : email.toUpperCase(), password, name: `Ann ${number}` }),
    );
    const refusals = answers.filter(({ status }) => status !== 201);
    expect(refusals).toHaveLength(19);
    for (const { status, body, headers, cookies } of refusals) {
      expect(status).toBe(409);
      expect(body).toEqual({ error: 'Email already registered' });
      expect(headers.get('x-error-code')).toBe('email-taken');
      expect(cookies).toEqual([]);
    }
    const winner = answers.find(({ status }) => status === 201);
    expect((await login(email, password)).body.user).toEqual(winner?.body.user);
  });
});

describe('logging in', () => {
  it('returns the user, a token of 15 minutes and a refresh cookie of 7 days', async () => {
    const { user } = await registerUser({ role: 'ORGANIZER', walletAddress: wallet });

    const answer = await login(`  ${user.email.toUpperCase()}`, password);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: 'Login successful', token: expect.any(String), user });
    const access = payloadOf(answer.body.token);
    expect(access).toMatchObject({ userId: user.id, email: user.email, role: 'ORGANIZER' });
    expect(access.exp - access.iat).toBe(15 * 60);
    const [cookie = ''] = answer.cookies;
    expect(cookie.split('; ').slice(1)).toEqual([
      'Path=/api/auth',
      'Max-Age=604800',
      'HttpOnly',
      'SameSite=Strict',
    ]);
    const refreshToken = payloadOf(cookieOf(answer).replace('refreshToken=', ''));
    expect(refreshToken.exp - refreshToken.iat).toBe(7 * 24 * 60 * 60);
  });

  it('returns the same answer in the same time for an unknown e-mail and a wrong password', async () => {
    const { user } = await registerUser();
    const [wrongPassword, unknownEmail] = await measureFastest([
      () => login(user.email, 'wrong password'),
      () => login(freshEmail(), 'wrong password'),
    ]);
    for (const { answer } of [wrongPassword, unknownEmail]) {
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ error: 'Invalid email or password' });
      expect(answer.headers.get('x-error-code')).toBe('wrong-credentials');
      expect(answer.cookies).toEqual([]);
    }
    // Without a password comparison an unknown e-mail would take a twentieth of the time.
    expect(unknownEmail.milliseconds).toBeGreaterThan(wrongPassword.milliseconds / 3);
  });
});

interface Attempt {
  milliseconds: number;
  answer: Answer;
}

/**
 * Returns the fastest of five attempts at each request, since other load on the machine only slows them down. The
 * requests take turns, so that a slow phase of the machine slows down both.
 */
async function measureFastest(
  requests: readonly [() => Promise<Answer>, () => Promise<Answer>],
): Promise<[Attempt, Attempt]> {
  const measure = async (send: () => Promise<Answer>): Promise<Attempt> => {
    const start = performance.now();
    const answer = await send();
    return { milliseconds: performance.now() - start, answer };
  };
  const fasterOf = (a: Attempt, b: Attempt) => (b.milliseconds < a.milliseconds ? b : a);
  let [first, second] = [await measure(requests[0]), await measure(requests[1])];
  for (let round = 1; round < 5; round++) {
    first = fasterOf(first, await measure(requests[0]));
    second = fasterOf(second, await measure(requests[1]));
  }
  return [first, second];
}

describe('too many failed logins', () => {
  it('lock the account until the window of 15 minutes ends, even for the right password', async () => {
    const { user } = await registerUser();
    for (let failure = 0; failure < 10; failure++) {
      expect((await login(user.email, 'wrong password')).status).toBe(401);
    }
    for (const attempt of ['wrong password', password]) {
      const answer = await login(user.email, attempt);
      expect(answer.status).toBe(429);
      expect(answer.body).toEqual({ error: 'Too many failed logins, please try again later' });
      expect(answer.headers.get('x-error-code')).toBe('too-many-attempts');
      const seconds = Number(answer.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(14 * 60);
      expect(seconds).toBeLessThanOrEqual(15 * 60);
    }
  });

  it('lock the account after ten, even when they are concurrent', async () => {
    const { user } = await registerUser();
    const answers = await sendConcurrently(14, () => login(user.email, 'wrong password'));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
    expect((await login(user.email, password)).status).toBe(429);
  });

  it('lock an unknown e-mail, too, but no other account', async () => {
    const [email, other] = [freshEmail(), await registerUser()];
    const answers = await sendConcurrently(11, () => login(email, password));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await login(other.user.email, password)).status).toBe(200);
  });

  it('do not include successful logins', async () => {
    const { user } = await registerUser();
    for (let success = 0; success < 3; success++) {
      expect((await login(user.email, password)).status).toBe(200);
    }
    const answers = await sendConcurrently(12, () => login(user.email, password));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect((await login(user.email, 'wrong password')).status).toBe(401);
    expect((await login(user.email, password)).status).toBe(200);
  });
});

describe('a refresh token', () => {
  it('returns a new access token each time', async () => {
    const { user, cookie } = await registerUser();
    for (let use = 0; use < 3; use++) {
      const answer = await refresh(cookie);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ token: expect.any(String) });
      expect(answer.cookies).toEqual([]);
      const me = await createCaller(answer.body.token).get('/api/auth/me');
      expect(me.body).toEqual({ user });
    }
  });

  it('is accepted among other cookies', async () => {
    const { cookie } = await registerUser();
    expect((await refresh(`theme=dark; ${cookie}; refreshTokens=x`)).status).toBe(200);
  });

  it('is refused when it is absent, malformed, changed, or an access token', async () => {
    const { cookie, token } = await registerUser();
    const changedCookie = cookie.slice(0, -2) + (cookie.endsWith('AA') ? 'BB' : 'AA');
    const invalidCookies = [
      undefined,
      '',
      'refreshToken=',
      'refreshToken=abc',
      changedCookie,
      `refreshToken=${token}`,
    ];
    for (const cookie of invalidCookies) {
      const answer = await refresh(cookie);
      expect([cookie, answer.status, answer.body]).toEqual([cookie, 401, { error: 'Invalid refresh token' }]);
    }
  });

  it('is refused as an access token', async () => {
    const { cookie } = await registerUser();
    const answer = await call('GET', '/api/auth/me', { token: cookie.replace('refreshToken=', '') });
    expect(answer.status).toBe(401);
  });
});

describe('logging out', () => {
  it('ends this session and no other, and clears the cookie', async () => {
    const person = await registerUser();
    const otherCookie = await logInAgain(person);

    const answer = await logout(person.cookie);

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: 'Logged out' });
    expect(answer.cookies).toEqual(['refreshToken=; Path=/api/auth; Max-Age=0; HttpOnly; SameSite=Strict']);
    expect((await refresh(person.cookie)).status).toBe(401);
    expect((await refresh(otherCookie)).status).toBe(200);
  });

  it('with everywhere=true ends all sessions of the user, and of no other user', async () => {
    const [person, stranger] = [await registerUser(), await registerUser()];
    const otherCookies = [await logInAgain(person), await logInAgain(person)];

    expect((await logout(person.cookie, '?everywhere=true')).status).toBe(200);

    for (const cookie of [person.cookie, ...otherCookies]) expect((await refresh(cookie)).status).toBe(401);
    expect((await refresh(stranger.cookie)).status).toBe(200);
  });

  it('succeeds without a session, and then ends no session', async () => {
    const person = await registerUser();
    const otherCookie = await logInAgain(person);
    await logout(person.cookie);
    for (const cookie of [undefined, 'refreshToken=abc', person.cookie]) {
      expect((await logout(cookie, '?everywhere=true')).status).toBe(200);
    }
    expect((await refresh(otherCookie)).status).toBe(200);
  });

  it('refuses an unknown value of "everywhere"', async () => {
    const answer = await logout(undefined, '?everywhere=maybe');
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: 'everywhere must be one of true, false' });
  });
});

describe('the caller’s profile', () => {
  it('can be read and changed', async () => {
    const { token, user } = await registerUser();
    const changeProfile = (body: object) => call('PATCH', '/api/auth/me', { token, body });
    const answer = await changeProfile({ name: ' Beth ', walletAddress: wallet.toLowerCase() });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ user: { ...user, name: 'Beth', walletAddress: wallet } });
    expect((await changeProfile({ walletAddress: null })).body.user.walletAddress).toBeNull();
    expect((await changeProfile({})).body.user.name).toBe('Beth');
    expect((await call('GET', '/api/auth/me', { token })).body).toEqual({ user: { ...user, name: 'Beth' } });
  });

  it.each([undefined, 'Basic abc', 'Bearer', 'Bearer abc', 'Bearer a b'])(
    'is refused with the authorization %j',
    async (authorization) => {
      const headers = authorization === undefined ? {} : { authorization };
      const answer = await call('GET', '/api/auth/me', { headers: headers as Record<string, string> });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ error: expect.any(String) });
    },
  );
});
