import { afterEach, describe, expect, it, vi } from 'vitest';
import { refreshCookie } from '../../../shared/accounts/auth/sessions.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the refresh cookie', () => {
  it('is Secure, HttpOnly and SameSite strict, for 7 days', () => {
    vi.stubEnv('STAGE', 'prod');
    expect(refreshCookie('abc')).toBe(
      'refreshToken=abc; Path=/api/auth; Max-Age=604800; HttpOnly; SameSite=Strict; Secure',
    );
  });

  it('is Secure when the stage is unknown', () => {
    vi.stubEnv('STAGE', '');
    expect(refreshCookie('abc')).toContain('; Secure');
  });

  it('is sent over plain HTTP on the local stage', () => {
    vi.stubEnv('STAGE', 'local');
    expect(refreshCookie('abc')).not.toContain('Secure');
  });

  it('expires immediately when it is empty', () => {
    expect(refreshCookie('')).toMatch(/^refreshToken=; Path=\/api\/auth; Max-Age=0;/);
  });
});
