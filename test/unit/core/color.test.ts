import { expect, test } from 'vitest';
import { textColorOn } from '../../../shared/core/color.ts';

test.each([
  ['#000000', '#ffffff'],
  ['#ffffff', '#000000'],
  ['#0000ff', '#ffffff'],
  ['#00ff00', '#000000'],
  ['#ffd400', '#000000'],
  ['#a62b1f', '#ffffff'],
  // Their contrast with black and with white is nearly the same.
  ['#767676', '#000000'],
  ['#737373', '#ffffff'],
])('text on %s is %s', (background, text) => {
  expect(textColorOn(background)).toBe(text);
});
