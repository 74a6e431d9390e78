import { afterEach, describe, expect, it, vi } from 'vitest';
import { refreshCookie } from '../../../shared/auth/cookie.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the refresh cookie', () => {
  it('goes over HTTPS only, for 7 days, out of reach of scripts and other sites', () => {
    vi.stubEnv('STAGE', 'prod');
    expect(refreshCookie('abc')).toBe(
      'refreshToken=abc; Path=/api/auth; Max-Age=604800; HttpOnly; SameSite=Strict; Secure',
    );
  });

  it('is Secure when the stage is not known', () => {
    vi.stubEnv('STAGE', '');
    expect(refreshCookie('abc')).toContain('; Secure');
  });

  it('goes over plain HTTP on this machine', () => {
    vi.stubEnv('STAGE', 'local');
    expect(refreshCookie('abc')).not.toContain('Secure');
  });

  it('ends at once when it is empty', () => {
    expect(refreshCookie('')).toMatch(/^refreshToken=; Path=\/api\/auth; Max-Age=0;/);
  });
});
