import bcrypt from 'bcryptjs';
import { describe, expect, it, vi } from 'vitest';
import { hashPassword, verifyPassword } from '../../../shared/accounts/auth/password.ts';
import {
  credentials,
  kycDecision,
  profileChange,
  registration,
} from '../../../shared/accounts/users/user.ts';
import { validate } from '../../../shared/http/middleware.ts';

const person = { email: 'ann@example.com', password: 'long enough', name: 'Ann' };
const lowerCaseWallet = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

describe('a registration', () => {
  it('is normalized and given defaults', () => {
    expect(
      validate(registration, { ...person, email: '  Ann@EXAMPLE.com ', name: ' Ann ', isAdmin: true }),
    ).toEqual({ ...person, role: 'USER', walletAddress: null });
  });

  it('has the wallet address checksummed', () => {
    expect(validate(registration, { ...person, walletAddress: lowerCaseWallet }).walletAddress).toBe(wallet);
    expect(validate(registration, { ...person, walletAddress: null }).walletAddress).toBeNull();
  });

  it.each([
    ['8 bytes', 'a'.repeat(8)],
    ['72 bytes', 'a'.repeat(72)],
    ['72 bytes in 18 characters', '🎫'.repeat(18)],
    ['8 bytes in 2 characters', '🎫'.repeat(2)],
  ])('accepts a password of %s', (_, password) => {
    expect(validate(registration, { ...person, password }).password).toBe(password);
  });

  it.each([
    [{ email: 'ann' }, 'Invalid email format'],
    [{ email: 'ann@' }, 'Invalid email format'],
    [{ email: 'ann@example' }, 'Invalid email format'],
    [{ email: 'a b@example.com' }, 'Invalid email format'],
    [{ email: undefined }, 'Invalid email format'],
    [{ email: 7 }, 'Invalid email format'],
    [{ email: `${'a'.repeat(250)}@example.com` }, 'Invalid email format'],
    [{ password: undefined }, 'password is required'],
    [{ password: 12345678 }, 'password must be a string'],
    [{ password: 'a'.repeat(7) }, 'Password must have at least 8 bytes'],
    [{ password: 'a'.repeat(73) }, 'Password must have at most 72 bytes'],
    [{ password: '🎫'.repeat(19) }, 'Password must have at most 72 bytes'],
    [{ name: undefined }, 'name is required'],
    [{ name: '   ' }, 'name must not be empty'],
    [{ name: 'a'.repeat(101) }, 'name must have at most 100 characters'],
    [{ role: 'ADMIN' }, 'role must be one of USER, ORGANIZER'],
    [{ role: 'user' }, 'role must be one of USER, ORGANIZER'],
    [{ walletAddress: '0x12' }, 'walletAddress must be a valid address'],
    [{ walletAddress: wallet.replace('A', 'a') }, 'walletAddress must be a valid address'],
  ])('with %j is refused: %s', (change, message) => {
    expect(() => validate(registration, { ...person, ...change })).toThrow(message);
  });
});

describe('credentials', () => {
  it('have a normalized e-mail and an unchanged password', () => {
    expect(validate(credentials, { email: ' ANN@example.com', password: ' p ' })).toEqual({
      email: 'ann@example.com',
      password: ' p ',
    });
  });

  it.each([
    [{ email: 'ann', password: 'p' }, 'Invalid email format'],
    [{ email: 'ann' }, 'Invalid email format'],
    [{ password: 'p' }, 'Invalid email format'],
    [{ email: 'ann@example.com' }, 'Password is required'],
    [{ email: 'ann@example.com', password: '' }, 'Password is required'],
    [{ email: 'ann@example.com', password: null }, 'Password is required'],
  ])('%j are refused: %s', (body, message) => {
    expect(() => validate(credentials, body)).toThrow(message);
  });
});

describe('a profile change', () => {
  it('contains only the fields that were sent', () => {
    expect(Object.keys(validate(profileChange, {}))).toEqual([]);
    expect(validate(profileChange, { role: 'ADMIN', name: 'Eve' })).toEqual({ name: 'Eve' });
    expect(validate(profileChange, { walletAddress: null })).toEqual({ walletAddress: null });
  });

  it('is refused when it clears the name', () => {
    expect(() => validate(profileChange, { name: null })).toThrow('name must be a string');
  });
});

describe('a KYC decision', () => {
  it('accepts only one of four statuses', () => {
    expect(validate(kycDecision, { status: 'VERIFIED' })).toEqual({ status: 'VERIFIED' });
    expect(() => validate(kycDecision, { status: 'MAYBE' })).toThrow(
      'status must be one of NONE, PENDING, VERIFIED, REJECTED',
    );
  });
});

describe('a password', { timeout: 30_000 }, () => {
  it('is stored as a bcrypt hash of 12 rounds that matches no other password', async () => {
    const hash = await hashPassword('right password');
    expect(hash).toMatch(/^\$2b\$12\$/);
    expect(await verifyPassword('right password', hash)).toBe(true);
    expect(await verifyPassword('wrong password', hash)).toBe(false);
  });

  it('does not match when it is longer than the 72 bytes that bcrypt compares', async () => {
    const hash = await bcrypt.hash('x'.repeat(72), 4);
    expect(await verifyPassword('x'.repeat(72), hash)).toBe(true);
    expect(await verifyPassword('x'.repeat(73), hash)).toBe(false);
  });

  it('is compared with a hash of 12 rounds when the user does not exist', async () => {
    const compare = vi.spyOn(bcrypt, 'compare');
    expect(await verifyPassword('any password', undefined)).toBe(false);
    const [[, hash] = []] = compare.mock.calls;
    expect(hash).toMatch(/^\$2b\$12\$[./A-Za-z0-9]{53}$/);
    compare.mockRestore();
  });
});
