import { expect, it } from 'vitest';
import { nextErasurePass } from '../../../shared/privacy/erasure.ts';

const requestedAt = '2026-01-01T12:00:00.000Z';
const erasure = { userId: 'u', requestedAt, updatedAt: requestedAt };
const at = (minutes: number) => Date.parse(requestedAt) + minutes * 60_000;

it('makes its last pass when no access token from before can be valid', () => {
  expect(nextErasurePass(erasure, at(0))).toBe(at(20));
  expect(nextErasurePass(erasure, at(19))).toBe(at(20));
  expect(nextErasurePass(erasure, at(20))).toBeUndefined();
});
