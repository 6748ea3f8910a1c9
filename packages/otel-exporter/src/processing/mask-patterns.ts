/** The built-in patterns of masks, by name. */
export type MaskPattern = 'keys' | 'emails' | 'cards' | 'phones' | 'ips'

export const maskPatternNames: readonly MaskPattern[] = ['keys', 'emails', 'cards', 'phones', 'ips']

/** Returns a text with everything replaced that must not be sent. */
export type TextMask = (text: string) => string

/** Each pattern is linear in the length of the text. */
export const textMasks: Readonly<Record<MaskPattern, TextMask>> = {
  keys: (text) =>
    text
      .replace(/\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,256}/g, '[key]')
      .replace(/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|hf_|npm_|AKIA|ASIA|AIza)[A-Za-z0-9_-]{12,256}/g, '[key]')
      .replace(/\beyJ[A-Za-z0-9_-]{8,2048}\.[A-Za-z0-9_-]{8,4096}(?:\.[A-Za-z0-9_-]{0,1024})?/g, '[key]')
      .replace(/\b(Bearer|Basic) [A-Za-z0-9._~+/=-]{12,4096}/g, '$1 [key]')
      .replace(/-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?/g, '[key]'),
  emails: (text) => text.replace(/(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g, '[email]'),
  cards: (text) => text.replace(/(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.]\d)/g, (digits) => (hasLuhnSum(digits) ? '[card]' : digits)),
  phones: (text) =>
    text
      .replace(/(?<![\w.+])\+\d(?:[ ().-]{0,2}\d){7,14}(?!\d)/g, '[phone]')
      .replace(/(?<![\w.])\(\d{2,5}\)[ .-]?\d{2,4}(?:[ .-]?\d{2,4}){1,3}(?!\d)/g, '[phone]')
      .replace(/(?<![\w.-])(?:\d{3}[ .-]\d{3}[ .-]\d{4}|0\d{2,4}[ /-]\d{4,9})(?![\w-])/g, '[phone]'),
  ips: (text) =>
    text
      .replace(/(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.]*\d)/g, '[ip]')
      .replace(/(?<![\w:])(?:[0-9A-Fa-f]{1,4}:){4,7}[0-9A-Fa-f]{1,4}(?![\w:])/g, '[ip]'),
}

/** The check digit that every card number has. */
function hasLuhnSum(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    const doubled = at % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0 && /[1-9]/.test(digits)
}
