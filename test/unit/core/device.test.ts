import { expect, it } from 'vitest';
import { nameDevice, placeOf } from '../../../shared/core/device.ts';

const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64) ${webKit} Chrome/131.0 Safari/537.36 Edg/131.0`, 'Edge on Windows'],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S918B) ${webKit} SamsungBrowser/25.0 Chrome/121.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${webKit} Version/18.1 Mobile/15E148 Safari/604.1`,
    'Safari on iPhone',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${webKit} CriOS/131.0 Mobile/15E148 Safari/604.1`,
    'Chrome on iPhone',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.1 Safari/605.1.15`,
    'Safari on macOS',
  ],
  ['curl/8.5.0', 'curl'],
  ['<script>', 'Unknown device'],
  ['', 'Unknown device'],
])('names %s', (userAgent, name) => {
  expect(nameDevice(userAgent)).toBe(name);
});

it('names a place as far as it is known', () => {
  expect(placeOf({ name: '', country: 'CI', city: 'Abidjan' })).toBe('Abidjan, Côte d’Ivoire');
  expect(placeOf({ name: '', country: 'NG' })).toBe('Nigeria');
  expect(placeOf({ name: '', country: 'Nigeria' })).toBeUndefined();
  expect(placeOf({ name: '' })).toBeUndefined();
});
