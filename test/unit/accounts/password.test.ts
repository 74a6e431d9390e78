import bcrypt from 'bcryptjs';
import { describe, expect, it, vi } from 'vitest';
import { hashPassword, verifyPassword } from '../../../shared/accounts/auth/password.ts';

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
