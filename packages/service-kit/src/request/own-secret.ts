import { escapeLength, findEscaped, maskEscaped } from './escaped-secret.ts'
import { findAny } from './find-any.ts'
import { formsOf } from './secret-forms.ts'

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
  let made: BodyMask | undefined
  // Most requests have no body.
  const ofBodies = () => (made ??= createBodyMask(secret))
  const maskText = (text: string) => text.replaceAll(secret, maskOf(secret.length))
  return {
    mask: (bytes) => ofBodies().mask(bytes),
    fields(fields) {
      const entries = Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.map(maskText) : maskText(value)])
      return Object.fromEntries(entries) as typeof fields
    },
    stream() {
      const { mask, longest } = ofBodies()
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

/** Masks a secret in bodies. */
interface BodyMask {
  mask(bytes: Uint8Array): void
  /** Bytes of the longest text that is masked. */
  longest: number
}

/** Few bodies hold their key, so that one pass tells this of most of them. */
function createBodyMask(secret: string): BodyMask {
  const forms = formsOf(secret).map((form) => ({ form: Buffer.from(form), masked: Buffer.from(maskOf(form.length)) }))
  const plain = Buffer.from(secret)
  const holdsForm = findAny(forms.map(({ form }) => form))
  const holdsEscaped = findEscaped(plain)
  const toMask = (length: number) => Buffer.from(maskOf(length))
  return {
    longest: Math.max(plain.length * escapeLength, ...forms.map(({ form }) => form.length)),
    mask(bytes) {
      const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      if (holdsForm(all))
        for (const { form, masked } of forms)
          for (let at = all.indexOf(form); at >= 0; at = all.indexOf(form, at + form.length)) masked.copy(all, at)
      if (holdsEscaped(all)) maskEscaped(all, plain, toMask)
    },
  }
}

function maskOf(length: number): string {
  return mark.padEnd(length, 'x').slice(0, length)
}
