/** Decodes the SVG in a data URI. @throws Error for another URI */
export function svgOf(dataUri: string): string {
  const [, base64] = /^data:image\/svg\+xml;base64,([A-Za-z0-9+/=]+)$/.exec(dataUri) ?? [];
  if (!base64) throw new Error(`Not an SVG data URI: ${dataUri.slice(0, 80)}`);
  return Buffer.from(base64, 'base64').toString();
}
