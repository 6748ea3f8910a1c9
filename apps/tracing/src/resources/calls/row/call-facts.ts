import { kindWordPaths, spanScopeMark } from '@heddle/datastore'

/** What the attributes of a call say that it did, as members named by whole paths: the lines of the column `kind_words`. */
export function attributesOfWords(kindWords: string): Record<string, string> {
  const words = kindWords.split('\n')
  return Object.fromEntries(kindWordPaths.flatMap((path, line) => (words[line] ? [[path, words[line]]] : [])))
}

/** Name of the instrumentation scope in the column `span_scope`; null where the span names none, and for calls that were sent otherwise. */
export function scopeOfSpan(spanScope: string): string | null {
  return spanScope.slice(spanScopeMark.length) || null
}
