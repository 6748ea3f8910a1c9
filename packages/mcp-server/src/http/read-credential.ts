/** The secret of `Bearer <key>` or of `Basic <user:key>`. */
export function readCredential(headers: Headers): string | undefined {
  const [scheme = '', value = ''] = (headers.get('authorization') ?? '').split(' ')
  if (scheme.toLowerCase() === 'bearer') return value || undefined
  if (scheme.toLowerCase() !== 'basic') return undefined
  const text = Buffer.from(value, 'base64').toString()
  return text.slice(text.indexOf(':') + 1) || undefined
}
