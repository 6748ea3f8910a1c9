import { createPatternAutomaton, type PatternAutomaton } from './pattern-automaton.ts'
import { isMaskable, secretForms } from './secret-forms.ts'

/** Replaces a secret. */
export const secretMark = 'REDACTED'

/** Masks the secrets of a stream of bytes, even if they are split across chunks. */
export interface SecretMaskStream {
  /** The bytes that can be passed on: a piece that may begin a secret waits for the next chunk. */
  push(chunk: Uint8Array): Uint8Array
  /** The remaining bytes. */
  end(): Uint8Array
}

/** Replaces secrets by `REDACTED` in all forms that `secretForms` lists. Takes time in proportion to its input. */
export interface SecretMask {
  text(text: string): string
  stream(): SecretMaskStream
  /** The mask of these secrets and of more. */
  with(more: readonly string[]): SecretMask
}

/**
 * Secrets of fewer than 8 characters, and of fewer than 16 small letters alone, are not masked: they would be found in ordinary texts.
 */
export function createSecretMask(secrets: readonly string[]): SecretMask {
  const known = new Set(secrets.filter(isMaskable))
  const patterns = [...new Set([...known].flatMap(secretForms))].map((form) => Buffer.from(form, 'utf8'))
  const automaton = createPatternAutomaton(patterns)
  const extended = new Map<string, SecretMask>()
  const mask: SecretMask = {
    text(text) {
      if (patterns.length === 0) return text
      const bytes = Buffer.from(text, 'utf8')
      // A text without secrets is returned as it was: one with a lone surrogate would else change.
      if (!hasMatch(automaton, bytes)) return text
      const stream = maskStream(automaton)
      return Buffer.concat([stream.push(bytes), stream.end()]).toString('utf8')
    },
    stream: () => (patterns.length === 0 ? unmasked : maskStream(automaton)),
    with(more) {
      const added = more.filter((secret) => isMaskable(secret) && !known.has(secret)).toSorted()
      if (added.length === 0) return mask
      const key = added.join('\0')
      const found = extended.get(key) ?? createSecretMask([...known, ...added])
      if (extended.size >= maxExtended) extended.clear()
      extended.set(key, found)
      return found
    },
  }
  return mask
}

/** Masks with more secrets that are kept. */
const maxExtended = 20

/** Masks nothing. */
export const noSecrets: SecretMask = createSecretMask([])

const unmasked: SecretMaskStream = { push: (chunk) => chunk, end: () => new Uint8Array() }

const mark = Buffer.from(secretMark)

function hasMatch(automaton: PatternAutomaton, bytes: Uint8Array): boolean {
  let state = 0
  for (const byte of bytes) {
    state = automaton.next(state, byte)
    if (automaton.matched(state) > 0) return true
  }
  return false
}

/** Where a secret is in a stream, its end excluded. */
interface SecretRange {
  from: number
  to: number
}

function maskStream(automaton: PatternAutomaton): SecretMaskStream {
  /** Bytes that wait, because they may begin a secret. */
  let held: Uint8Array = new Uint8Array()
  /** Offset in the stream of the first of them. */
  let start = 0
  let state = 0
  /** End of a secret whose mark was passed on, though not all of it has been read. */
  let maskedUntil = 0

  /** Adds a secret to those found; overlapping ones are replaced by one mark. */
  function add(found: SecretRange[], secret: SecretRange): void {
    let { from } = secret
    for (let last = found.at(-1); last !== undefined && last.to > from; last = found.at(-1)) {
      from = Math.min(from, last.from)
      found.pop()
    }
    if (from >= maskedUntil) found.push({ from, to: secret.to })
    else maskedUntil = secret.to
  }

  function take(bytes: Uint8Array, isLast: boolean): Uint8Array {
    const all = held.length === 0 ? bytes : Buffer.concat([held, bytes])
    const end = start + all.length
    const found: SecretRange[] = pending.splice(0)
    for (let place = start + held.length; place < end; place++) {
      state = automaton.next(state, all[place - start] ?? 0)
      const length = automaton.matched(state)
      if (length > 0) add(found, { from: place + 1 - length, to: place + 1 })
    }
    // The next bytes may complete a longer secret with the bytes after this offset.
    const safe = isLast ? end : end - automaton.depth(state)
    const parts: Uint8Array[] = []
    let written = Math.max(start, maskedUntil)
    for (const secret of found) {
      if (secret.from >= safe) {
        pending.push(secret)
        continue
      }
      if (secret.from > written) parts.push(all.subarray(written - start, secret.from - start))
      parts.push(mark)
      written = secret.to
      maskedUntil = secret.to
    }
    if (safe > written) parts.push(all.subarray(written - start, safe - start))
    held = all.subarray(safe - start)
    start = safe
    return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts)
  }

  /** Secrets among the bytes that wait. */
  const pending: SecretRange[] = []
  return { push: (chunk) => take(chunk, false), end: () => take(new Uint8Array(), true) }
}
