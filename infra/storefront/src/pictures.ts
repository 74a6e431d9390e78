/** The widths in which the service has an uploaded picture, in pixels. Its address names the largest. */
const widths = [400, 800, 1600] as const;

/** Returns an uploaded picture in another width. Any other address stays as it is. */
export function inWidth(url: string, width: (typeof widths)[number]): string {
  return isUploaded(url) ? url.replace(/1600$/, `${width}`) : url;
}

/** Returns the `srcset` of an uploaded picture; undefined for any other address. */
export function srcsetOf(url: string): string | undefined {
  return isUploaded(url) ? widths.map((width) => `${inWidth(url, width)} ${width}w`).join(', ') : undefined;
}

const isUploaded = (url: string) =>
  url.startsWith(`${location.origin}/api/pictures/`) && url.endsWith('/1600');
