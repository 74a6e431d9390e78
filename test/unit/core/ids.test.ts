import { describe, expect, it } from 'vitest';
import { deriveId, newId, newOwnedId, ownerMark, randomCode } from '../../../shared/core/ids.ts';

const cuid = /^c[0-9a-z]{24}$/;
const now = Date.UTC(2026, 10, 21);

describe('a new id', () => {
  it('has the format of a CUID and is unique', () => {
    const ids = Array.from({ length: 10_000 }, () => newId(now));
    for (const id of ids) expect(id).toMatch(cuid);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sorts after every older id', () => {
    const times = [0, 1, 35, 36, now - 1, now, now + 1, Date.UTC(2058, 0, 1)];
    const ids = times.map((time) => newId(time));
    expect([...ids].sort()).toEqual(ids);
  });
});

describe('a new id of an owner', () => {
  it('has the format of a CUID, is unique, and shares its mark with the owner’s other ids', () => {
    const ids = Array.from({ length: 10_000 }, () => newOwnedId('olga', now));
    for (const id of ids) expect(id).toMatch(cuid);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids.map(ownerMark)).size).toBe(1);
    expect(ownerMark(newOwnedId('mallory', now))).not.toBe(ownerMark(ids[0] ?? ''));
  });
});

describe('a derived id', () => {
  it('is the same for the same seed and time, and differs for another seed or time', () => {
    expect(deriveId('BOX-1', now)).toMatch(cuid);
    expect(deriveId('BOX-1', now)).toBe(deriveId('BOX-1', now));
    expect(deriveId('BOX-2', now)).not.toBe(deriveId('BOX-1', now));
    expect(deriveId('BOX-1', now + 1)).not.toBe(deriveId('BOX-1', now));
  });

  it('sorts among new ids by its time', () => {
    expect(deriveId('z', now) < newId(now + 1)).toBe(true);
    expect(deriveId('a', now) > newId(now - 1)).toBe(true);
  });
});

describe('a random code', () => {
  it.each([1, 8, 32])('has %i upper-case letters and digits', (length) => {
    expect(randomCode(length)).toMatch(new RegExp(`^[0-9A-Z]{${length}}$`));
  });
});
