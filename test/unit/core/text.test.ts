import { describe, expect, it } from 'vitest';
import { filledText, text } from '../../../shared/core/schemas.ts';
import { validate } from '../../../shared/http/validation.ts';

describe('text', () => {
  it('is trimmed', () => {
    const valid = 'Zoë’s “Ü30” 漢字 🎫\r\n\t– second line';
    expect(validate(text(100), ` ${valid}\n`)).toBe(valid);
    expect(validate(text(100), ' ')).toBe('');
  });

  it.each(['\u0000', 'a\u001b[31mb', 'a\u0007b', 'a\u007fb', 'a\u009bb'])(
    'is refused with control characters: %j',
    (invalid) => {
      expect(() => validate(text(100), invalid)).toThrow('must not contain control characters');
      expect(() => validate(filledText(100), invalid)).toThrow('must not contain control characters');
    },
  );

  it('has a minimum and a maximum length', () => {
    expect(() => validate(text(3), 'four')).toThrow('must have at most 3 characters');
    expect(() => validate(filledText(3), '  ')).toThrow('must not be empty');
  });
});
