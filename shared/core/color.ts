/**
 * Returns the color of text on a background: black or white, which of them has more contrast. The contrast of the better one
 * is at least 4.58, more than WCAG 2 requires of text (4.5).
 * @param background `#rrggbb`
 */
export function textColorOn(background: string): '#000000' | '#ffffff' {
  const luminance = luminanceOf(background);
  return (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) ? '#000000' : '#ffffff';
}

/** Returns the relative luminance of a color, from 0 to 1 (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns red, green and blue of `#rrggbb`, each 0 to 255. */
export function channelsOf(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}
