/** Decimal digits of numbers as Python writes and rounds them: of their exact binary value, and from the middle to the even digit. */

/** A non-negative number with this many decimal places. */
export function fixedDecimal(size: number, places: number): string {
  const digits = String(roundedQuotient(size, -places)).padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

interface Scientific {
  /** As many as requested, the first before the point. */
  digits: string
  exponent: number
}

function toScientific(size: number, count: number): Scientific {
  if (size === 0) return { digits: '0'.repeat(count), exponent: 0 }
  const guess = Number(size.toExponential().split('e')[1])
  const digits = String(roundedQuotient(size, guess - count + 1))
  // Rounding up may make a digit more: 9.99 to 10.0.
  return digits.length > count ? { digits: digits.slice(0, count), exponent: guess + 1 } : { digits, exponent: guess }
}

/** As `1.50e+03`, with this many digits behind the point. */
export function scientificDecimal(size: number, places: number): string {
  return writeScientific(toScientific(size, places + 1))
}

function writeScientific({ digits, exponent }: Scientific): string {
  const mantissa = digits.length === 1 ? digits : `${digits[0]}.${digits.slice(1)}`
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** With this many digits, without zeros at the end, and with an exponent where it is large or small. `keepsPoint`: whole numbers end in `.0`. */
export function generalDecimal(size: number, precision: number, keepsPoint: boolean): string {
  const count = Math.max(1, precision)
  const { digits, exponent } = toScientific(size, count)
  if (exponent < -4 || exponent >= count - (keepsPoint ? 1 : 0))
    return writeScientific({ digits: digits.replace(/(?<=.)0+$/, ''), exponent })
  const fixed = fixedDecimal(size, count - 1 - exponent)
  const short = fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed
  return keepsPoint && !short.includes('.') ? `${short}.0` : short
}

/** Python's `round(number, places)` for a float. */
export function roundFloat(number: number, places: number): number {
  // Beyond these there is no digit to round, or the result is zero.
  if (!Number.isFinite(number) || places > 323 || number === 0) return number
  if (places < -308) return number < 0 ? -0 : 0
  const size = Number(`${roundedQuotient(Math.abs(number), -places)}e${-places}`)
  return number < 0 ? -size : size
}

const view = new DataView(new ArrayBuffer(8))

/** The whole number next to `size / 10 ** exponent`; from the middle between two, the even one. */
function roundedQuotient(size: number, exponent: number): bigint {
  view.setFloat64(0, size)
  const bits = view.getBigUint64(0)
  const raw = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  const power = (raw === 0 ? 1 : raw) - 1075
  let above = raw === 0 ? fraction : fraction | 0x10000000000000n
  let below = 1n
  if (power > 0) above <<= BigInt(power)
  else below <<= BigInt(-power)
  if (exponent > 0) below *= 10n ** BigInt(exponent)
  else above *= 10n ** BigInt(-exponent)
  const [quotient, rest] = [above / below, (above % below) * 2n]
  return rest > below || (rest === below && quotient % 2n === 1n) ? quotient + 1n : quotient
}
