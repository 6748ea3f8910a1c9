import { escapeLength, maskEscaped } from './escaped-secret.ts'

/** Shorter credentials would be found in ordinary texts. Every API key, session and token is longer. */
const minLength = 16
const mark = 'REDACTED'

/**
 * The credential of a request, which is masked in everything that the request sends: otherwise programs that record headers and errors would store
 * their own key. The replacement has the same length, so that lengths within a body (protobuf, computed offsets) remain valid.
 */
export interface OwnSecret {
  /**
   * Overwrites the credential in these bytes: in plain form, in base64, hex and URL encoding, and with JSON escapes; also within a longer text such
   * as `user:key`.
   */
  mask(bytes: Uint8Array): void
  /** The texts of path, query and header fields. */
  fields<Fields extends Record<string, string | string[]>>(fields: Fields): Fields
  /** For a body that is not kept in memory. */
  stream(): OwnSecretStream
}

/** Masks the credential in chunks, also where it is cut across them. */
export interface OwnSecretStream {
  /** The bytes that can be passed on. */
  push(chunk: Uint8Array): Uint8Array
  /** The remaining bytes. */
  end(): Uint8Array
}

/** Undefined for a request without a credential that can be masked. */
export function createOwnSecret(secret: string | undefined): OwnSecret | undefined {
  if (secret === undefined || secret.length < minLength) return undefined
  const forms = formsOf(secret).map((form) => ({ form: Buffer.from(form), masked: Buffer.from(maskOf(form.length)) }))
  const plain = Buffer.from(secret)
  const longest = Math.max(plain.length * escapeLength, ...forms.map(({ form }) => form.length))
  const toMask = (length: number) => Buffer.from(maskOf(length))

  function mask(bytes: Uint8Array): void {
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (const { form, masked } of forms)
      for (let at = all.indexOf(form); at >= 0; at = all.indexOf(form, at + form.length)) masked.copy(all, at)
    maskEscaped(all, plain, toMask)
  }

  const maskText = (text: string) => text.replaceAll(secret, maskOf(secret.length))
  return {
    mask,
    fields(fields) {
      const entries = Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.map(maskText) : maskText(value)])
      return Object.fromEntries(entries) as typeof fields
    },
    stream() {
      let held: Uint8Array = new Uint8Array()
      return {
        push(chunk) {
          const all = Buffer.concat([held, chunk])
          mask(all)
          const end = Math.max(0, all.length - longest + 1)
          held = all.subarray(end)
          return all.subarray(0, end)
        },
        end: () => held,
      }
    },
  }
}

function maskOf(length: number): string {
  return mark.padEnd(length, 'x').slice(0, length)
}

/** How texts write a secret. In base64 the text depends on where it begins: the characters that are its alone. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6))
  })
  const hex = bytes.toString('hex')
  return [...new Set([secret, ...base64, hex, hex.toUpperCase(), encodeURIComponent(secret)])]
}
