import { isJsonNumber } from '@heddle/json/exact'

/** Distinguishes values by their content, whatever the order of the keys of objects. Numbers are compared as written: `1.0` is not `1`. */
export interface ContentIds {
  /** The same number for equal values, and another for any other one. */
  idOf(value: unknown): number
  /** A number that depends only on the content, not on previous values. Different values rarely share it. */
  hashOf(value: unknown): number
}

interface ContentId {
  id: number
  hash: number
}

/** Each object is visited once, however often it is looked up. @throws what `checkTime` throws */
export function createContentIds(checkTime: () => void): ContentIds {
  const byKey = new Map<string, ContentId>()
  const byObject = new Map<object, ContentId>()

  function intern(key: string, hash: number): ContentId {
    const known = byKey.get(key) ?? { id: byKey.size, hash }
    byKey.set(key, known)
    return known
  }

  function lookUp(value: unknown): ContentId {
    if (typeof value !== 'object' || value === null) {
      const text = JSON.stringify(value) ?? 'null'
      return intern(text, hashText(text))
    }
    if (isJsonNumber(value)) return intern(value.text, hashText(value.text))
    const known = byObject.get(value)
    if (known) return known
    checkTime()
    const found = Array.isArray(value) ? list('[', value.map(lookUp)) : members(value)
    byObject.set(value, found)
    return found
  }

  const list = (before: string, parts: readonly ContentId[]) =>
    intern(before + parts.map(({ id }) => id).join(','), hashText(before + parts.map(({ hash }) => hash).join(',')))

  function members(value: object): ContentId {
    const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
    return list(
      `{${JSON.stringify(entries.map(([key]) => key))}`,
      entries.map(([, inner]) => lookUp(inner)),
    )
  }

  return { idOf: (value) => lookUp(value).id, hashOf: (value) => lookUp(value).hash }
}

/** Of 53 bits. */
function hashText(text: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 2_654_435_761)
    low = Math.imul(low ^ unit, 1_597_334_677)
  }
  return 4_294_967_296 * (2_097_151 & (low >>> 0)) + (high >>> 0)
}
