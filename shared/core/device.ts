/** The device that a request comes from, as far as its headers tell. */
export interface Device {
  /** The browser and the system, such as `Firefox on Linux`. */
  name: string;
  /** ISO 3166-1 alpha-2; absent where no CDN tells. */
  country?: string;
  city?: string;
}

const browsers: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** Names a device by its user agent; another program than a browser, by the product that it states. */
export function nameDevice(userAgent: string): string {
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? /^[\w.-]{1,40}/.exec(userAgent)?.[0] ?? 'Unknown device';
}

/** Returns where a device is, such as `Lagos, Nigeria`; undefined where no CDN tells. */
export function placeOf({ country, city }: Device): string | undefined {
  if (!country || !/^[A-Z]{2}$/.test(country)) return undefined;
  const name = new Intl.DisplayNames(['en'], { type: 'region' }).of(country) ?? country;
  return city ? `${city}, ${name}` : name;
}
