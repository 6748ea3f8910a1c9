/** Bytes of the payloads of a page. */
const pageBytes = 8 * 1024 * 1024

/** Splits keys of payloads into pages that double in size up to `largest`, none with more bytes than fit; a larger payload is a page by itself. */
export function* toPages<Key extends { bytes: number }>(
  keys: readonly Key[],
  { first, largest }: { first: number; largest: number },
): Generator<Key[]> {
  let size = first
  let page: Key[] = []
  let bytes = 0
  for (const key of keys) {
    if (page.length >= size || (page.length > 0 && bytes + key.bytes > pageBytes)) {
      yield page
      page = []
      bytes = 0
      size = Math.min(size * 2, largest)
    }
    page.push(key)
    bytes += key.bytes
  }
  if (page.length > 0) yield page
}
