/** How texts write a secret. In base64 the text depends on where it begins: the characters that are its alone. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
  })
  const hex = bytes.toString('hex')
  return [...new Set([secret, ...base64, hex, hex.toUpperCase(), encodeURIComponent(secret)])]
}
