import { isSecretKey } from '../../payload/mask-secrets.ts'

const slots = 1024
const longestKept = 64

/** A key of an attribute or of JSON, as text. */
export interface Key {
  text: string
  /** False for one with an escape, the name of a credential, and the key that every object has which reads as a list. */
  isPlain: boolean
}

/** A string interner for keys, which repeat within a request: short ones in ASCII are decoded once, one key per slot of a hash table. */
export class KeyInterner {
  readonly #keys: (Key | undefined)[] = new Array<Key | undefined>(slots).fill(undefined)

  /** The key whose UTF-8 is `bytes[start, end)`; undefined for one of more than 64 bytes and for one beyond ASCII. */
  intern(bytes: Buffer, start: number, end: number): Key | undefined {
    const length = end - start
    if (length > longestKept) return undefined
    let hash = length
    let all = 0
    for (let index = start; index < end; index += 1) {
      const byte = bytes[index] as number
      all |= byte
      hash = (Math.imul(hash, 31) + byte) | 0
    }
    if (all > 0x7f) return undefined
    const slot = (hash ^ (hash >>> 10)) & (slots - 1)
    const kept = this.#keys[slot]
    if (kept !== undefined && isAt(kept.text, bytes, start, length)) return kept
    const text = bytes.toString('latin1', start, end)
    return (this.#keys[slot] = toKey(text))
  }
}

export function toKey(text: string): Key {
  return { text, isPlain: text !== '0' && !text.includes('\\') && !isSecretKey(text) }
}

function isAt(text: string, bytes: Buffer, start: number, length: number): boolean {
  if (text.length !== length) return false
  for (let index = 0; index < length; index += 1) if (text.charCodeAt(index) !== bytes[start + index]) return false
  return true
}
