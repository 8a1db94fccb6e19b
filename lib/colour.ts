type Triple = [number, number, number]

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as Triple

const toHex = (parts: Triple) =>
  `#${parts
    .map((part) => Math.round(Math.min(255, Math.max(0, part))).toString(16))
    .map((text) => text.padStart(2, '0'))
    .join('')}`

const toLinear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
const fromLinear = (part: number) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055)

const linear = (hex: string) => channels(hex).map((part) => toLinear(part / 255)) as Triple

const weigh = (rows: readonly Triple[], [a, b, c]: Triple) =>
  rows.map(([x, y, z]) => x * a + y * b + z * c) as unknown as Triple

/**
 * The contrast ratio of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio" and "relative luminance").
 *
 * @param one in `#rrggbb`, as all colours here
 */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const luminance = (hex: string) => {
  const [red, green, blue] = linear(hex)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

// OKLab (https://bottosson.github.io/posts/oklab/): equal steps of its lightness look equal, whatever the hue.
const toCones: Triple[] = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const toLab: Triple[] = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]
const fromLab: Triple[] = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
]
const fromCones: Triple[] = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
]

const lab = (hex: string) => weigh(toLab, weigh(toCones, linear(hex)).map(Math.cbrt) as Triple)

/** Tells how light a colour is, from 0 (black) to 1 (white), in OKLab. */
export const lightness = (hex: string): number => lab(hex)[0]

/** Makes the colour with another lightness and the same hue, and as much of its chroma as sRGB has there. */
export function withLightness(hex: string, wanted: number): string {
  const [, a, b] = lab(hex)
  for (let share = 1; ; share -= 0.02) {
    const chroma = Math.max(share, 0)
    const cones = weigh(fromLab, [wanted, chroma * a, chroma * b]).map((part) => part ** 3) as Triple
    const parts = weigh(fromCones, cones)
    const isShown = parts.every((part) => part > -0.001 && part < 1.001)
    if (isShown || chroma === 0) return toHex(parts.map((part) => 255 * fromLinear(Math.max(part, 0))) as Triple)
  }
}

/** @param share of the second colour, from 0 to 1 */
export function mix(one: string, other: string, share: number): string {
  const [from, to] = [channels(one), channels(other)]
  return toHex(from.map((part, at) => part + ((to[at] ?? 0) - part) * share) as Triple)
}
