// Makes the dashboard's accent from the operator's colour: as close to it as possible while text stays readable, on light and on dark backgrounds.

type Rgb = readonly [number, number, number];

/** WCAG 2.2, 1.4.3 requires a contrast of 4.5 for text; a little more, because of rounding. */
const READABLE = 4.6;
const LIGHT: Rgb = [0xe2, 0xe8, 0xe5];
const DARK: Rgb = [0x1b, 0x22, 0x20];
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

const fromHex = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const toHex = (colour: Rgb) => `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
const mix = (one: Rgb, other: Rgb, share: number): Rgb =>
  one.map((part, index) => part + ((other[index] ?? 0) - part) * share) as unknown as Rgb;

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of WCAG, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(fromHex(one)), luminance(fromHex(other))].toSorted((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}

interface Theme {
  selector: string;
  /** The background on which text in the accent colour has the least contrast. */
  ground: Rgb;
  /** The colour towards which an unreadable colour is moved. */
  end: Rgb;
  /** The colour of text on the accent. */
  on: Rgb;
  soft(accent: Rgb): Rgb;
  strong(accent: Rgb): Rgb;
}

// The page's style sheet may come before or after these rules, which must win: hence the doubled selectors.
const THEMES: readonly Theme[] = [
  {
    selector: ':root:root',
    ground: LIGHT,
    end: BLACK,
    on: WHITE,
    soft: (accent) => mix(accent, WHITE, 0.9),
    strong: (accent) => mix(accent, BLACK, 0.2),
  },
  {
    selector: ':root.dark',
    ground: DARK,
    end: WHITE,
    on: BLACK,
    soft: (accent) => mix(accent, DARK, 0.86),
    strong: (accent) => mix(accent, WHITE, 0.3),
  },
];

/** The colour, moved in steps of a fiftieth until it is readable on the theme's backgrounds. */
function readable(colour: Rgb, { ground, end, soft }: Theme): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const moved = mix(colour, end, share);
    if ([ground, soft(moved)].every((each) => contrast(toHex(moved), toHex(each)) >= READABLE)) return moved;
  }
  return end;
}

/** Style rules for the accent of both themes, from `#rrggbb`. Without a colour an empty text, so that the built-in accent stays. */
export function colourRules(hex: string | undefined): string {
  if (!hex) return '';
  return THEMES.map((theme) => {
    const accent = readable(fromHex(hex), theme);
    const tokens = { accent, 'accent-strong': theme.strong(accent), 'accent-soft': theme.soft(accent), 'on-accent': theme.on };
    return `${theme.selector}{${Object.entries(tokens)
      .map(([name, colour]) => `--${name}:${toHex(colour)}`)
      .join(';')}}`;
  }).join('');
}
