/** How a version of an object is named: by its index, its content, or an alias; a text that is not an alias of the object may still be a digest. */
export type DigestArgument =
  | { by: 'latest' }
  | { by: 'index'; version_index: number }
  | { by: 'digest'; digest: string }
  | { by: 'alias'; alias: string }

/** Indexes are stored in 32 bits. */
const maxIndex = 2 ** 31 - 1

/** Reads the words `latest` and `v<n>`, then digests; every other text is an alias. An index beyond all that are stored matches nothing, as `v-1` does. */
export function parseDigestArgument(text: string): DigestArgument {
  if (text === 'latest') return { by: 'latest' }
  if (/^v-?[0-9]+$/.test(text)) {
    const version_index = Number(text.slice(1))
    return { by: 'index', version_index: version_index > maxIndex || version_index < 0 ? -1 : version_index }
  }
  return looksLikeDigest(text) ? { by: 'digest', digest: text } : { by: 'alias', alias: text }
}

/** True for a text of the form of a digest, which is never interpreted as an alias. */
function looksLikeDigest(text: string): boolean {
  return /^(?:[A-Za-z0-9]{43}|[0-9A-Fa-f]{64})$/.test(text)
}
