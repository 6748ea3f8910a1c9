import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { strokeOfNone, strokes } from './axis-colours.ts'

const tokens = readFileSync(new URL('../../styles/tokens.css', import.meta.url), 'utf8')
const leastContrast = 3
/** Linear parts of red, green and blue. */
type Rgb = [number, number, number]

function token(name: string, scheme: 'light' | 'dark'): Rgb {
  const [, light = '', dark = ''] = new RegExp(`--${name}: light-dark\\(#(\\w{6}), #(\\w{6})\\)`).exec(tokens) ?? []
  const digits = scheme === 'light' ? light : dark
  const part = (at: number) => {
    const share = Number.parseInt(digits.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return [part(0), part(2), part(4)]
}

const times = (rows: readonly Rgb[], [a, b, c]: Rgb) => rows.map(([x, y, z]) => x * a + y * b + z * c) as Rgb
const toOklab = (rgb: Rgb) =>
  times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    times(
      [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
      ],
      rgb,
    ).map(Math.cbrt) as Rgb,
  )
const fromOklab = (lab: Rgb) =>
  times(
    [
      [4.0767416621, -3.3077115913, 0.2309699292],
      [-1.2684380046, 2.6097574011, -0.3413193965],
      [-0.0041960863, -0.7034186147, 1.707614701],
    ],
    times(
      [
        [1, 0.3963377774, 0.2158037573],
        [1, -0.1055613458, -0.0638541728],
        [1, -0.0894841775, -1.291485548],
      ],
      lab,
    ).map((part) => part ** 3) as Rgb,
  )
const luminance = ([red, green, blue]: Rgb) => 0.2126 * red + 0.7152 * green + 0.0722 * blue

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** A token, or a mixture of two, as its parts. */
function rgbOf(stroke: string, scheme: 'light' | 'dark'): Rgb {
  const [first = '', second] = [...stroke.matchAll(/--([\w-]+)/g)].map(([, of = '']) => of)
  if (second === undefined) return token(first, scheme)
  const share = Number(/(\d+)%/.exec(stroke)?.[1] ?? 50) / 100
  const [one, other] = [toOklab(token(first, scheme)), toOklab(token(second, scheme))]
  return fromOklab(one.map((part, at) => part * share + (other[at] ?? 0) * (1 - share)) as Rgb)
}

test.each((['light', 'dark'] as const).flatMap((scheme) => [...strokes, strokeOfNone].map((stroke) => ({ scheme, stroke }))))(
  'lines of the colour $stroke stand out from the page in $scheme',
  ({ scheme, stroke }) => expect(contrast(rgbOf(stroke, scheme), token('sheet', scheme))).toBeGreaterThan(leastContrast),
)
