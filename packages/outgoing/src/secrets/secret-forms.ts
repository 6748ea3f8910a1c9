/** Shorter secrets, and those of up to 15 lower-case letters, occur in ordinary texts by chance, and would be masked there. */
export function isMaskable(secret: string): boolean {
  return secret.length >= 8 && !/^[a-z]{8,15}$/.test(secret)
}

/** The texts in which a server may repeat a secret that it was sent: as it is, and as JSON, HTML, URLs, base64 and hex write it. */
export function secretForms(secret: string): string[] {
  const json = jsonText(secret)
  const bytes = Buffer.from(secret, 'utf8')
  const hex = bytes.toString('hex')
  const forms = [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    jsonText(json),
    jsonText(jsonText(json)),
    ...bothCases(eachByte(bytes, (code) => `\\u00${code}`)),
    ...bothCases(eachByte(bytes, (code) => `\\\\u00${code}`)),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    secret.replaceAll(/[^A-Za-z0-9_-]/g, (character) => `&#${character.charCodeAt(0)};`),
    ...bothCases(encodeURIComponent(secret)),
    ...bothCases(encodeURIComponent(secret).replaceAll(/[!'()*~._-]/g, percent)),
    ...bothCases(encodeURIComponent(secret).replaceAll(/[!'()*~]/g, percent)),
    ...bothCases(eachByte(bytes, (code) => `%${code}`)),
    encodeURIComponent(encodeURIComponent(secret)),
    hex,
    hex.toUpperCase(),
    ...base64Forms(bytes),
  ]
  return [...new Set(forms)]
}

function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

function eachByte(bytes: Uint8Array, write: (code: string) => string): string {
  return Array.from(bytes, (byte) => write(byte.toString(16).padStart(2, '0'))).join('')
}

/** The codes in an encoded text are written in small letters or in capitals. */
function bothCases(text: string): string[] {
  const withCodes = (change: (code: string) => string) => text.replaceAll(/(?:%|\\u00)[0-9a-fA-F]{2}/g, change)
  const lower = (code: string) => code.toLowerCase()
  const upper = (code: string) => code.slice(0, -2) + code.slice(-2).toUpperCase()
  return [withCodes(lower), withCodes(upper)]
}

/**
 * Within a longer text, such as `Bearer <secret>` or `user:<secret>`, base64 depends on where the secret begins: the characters that only the secret
 * determines.
 */
function base64Forms(bytes: Buffer): string[] {
  const forms = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const first = Math.ceil((offset * 8) / 6)
    const last = Math.floor(((offset + bytes.length) * 8) / 6)
    return text.slice(first, last)
  })
  return [
    ...forms,
    ...forms.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    ...forms.map((text) => text.replaceAll('/', '\\/')),
  ]
}
