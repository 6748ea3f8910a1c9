/** What names a version of an object: its place, or its content. */
export type DigestArgument = { by: 'latest' } | { by: 'index'; version_index: number } | { by: 'digest'; digest: string }

/** Reads the words `latest` and `v<n>`; everything else is compared with digests. An index beyond all numbers matches nothing, as `v-1` does. */
export function parseDigestArgument(text: string): DigestArgument {
  if (text === 'latest') return { by: 'latest' }
  if (!/^v-?[0-9]+$/.test(text)) return { by: 'digest', digest: text }
  const version_index = Number(text.slice(1))
  return { by: 'index', version_index: Number.isSafeInteger(version_index) ? version_index : -1 }
}
