type Colours = { background: string; text: string };

/**
 * A pale background and a dark text colour of one hue. The hue depends only on the name; the contrast is at least 4.5:1
 * for every hue.
 */
export const colourOf = (name: string): Colours => {
  const hue = hash(name.trim().toLowerCase()) % 360;
  return { background: oklch(0.93, 0.045, hue), text: oklch(0.42, 0.12, hue) };
};

/** FNV-1a, 32 bits. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
};

// OKLCH instead of HSL: equal lightness looks equally light at every hue, so one pair of values has enough contrast for
// all hues. The result is hex, because the values are also used in SVG attributes.
// https://bottosson.github.io/posts/oklab/
const oklch = (lightness: number, chroma: number, hue: number): string => {
  const angle = (hue * Math.PI) / 180;
  const a = chroma * Math.cos(angle);
  const b = chroma * Math.sin(angle);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return `#${channels.map(toHexByte).join('')}`;
};

const toHexByte = (linear: number): string => {
  const clamped = Math.min(1, Math.max(0, linear));
  const encoded = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * clamped ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, '0');
};
