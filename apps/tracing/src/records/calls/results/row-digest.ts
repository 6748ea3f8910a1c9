import { canonicalJson } from '@heddle/json'
import { textDigest } from '../../../payload/digest.ts'

const rowRef = /^[^]+?\/attr\/rows\/id\/([^/]+)$/

/** The digest in a reference to a row of a dataset, whole or without its beginning; undefined for any other text. */
export function digestInRef(example: string): string | undefined {
  return rowRef.exec(example)?.[1]
}

/** The digest by which equal rows are one: that of a reference, or of the content. An object has that of the same row in a table, whatever the order of its keys. */
export function rowDigest(example: unknown): string {
  if (typeof example === 'string') return digestInRef(example) ?? textDigest(example)
  return textDigest(canonicalJson(example))
}
