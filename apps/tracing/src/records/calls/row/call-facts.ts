import { callWordPaths } from '@heddle/core-api/internal'
import { spanScopeMark } from '@heddle/datastore'
import { isModelCall, type UsedIn } from '@heddle/trace-model'
import { LRUCache } from 'lru-cache'

/** The attributes of a call that determine its kind, as members named by whole paths: the lines of the column `kind_words`. */
export function attributesOfWords(kindWords: string): Record<string, string> {
  const words = kindWords.split('\n')
  return Object.fromEntries(callWordPaths.flatMap((path, line) => (words[line] ? [[path, words[line]]] : [])))
}

/** Whether a call of some words is a request to a model, by its words: few calls differ in them. */
interface OfWords {
  withUsage: boolean
  withoutUsage: boolean
}

const maxKnownWords = 1_000
/** Longer words are hardly those of a second call. */
const longestKnownWords = 500
const knownWords = new LRUCache<string, OfWords>({ max: maxKnownWords })

/** Whether a call is a request to a model, from the column `kind_words`. */
export function isModelCallOfWords(kindWords: string, reportsUsage: boolean): boolean {
  let known = knownWords.get(kindWords)
  if (known === undefined) {
    const attributes = attributesOfWords(kindWords)
    known = { withUsage: isModelCall(attributes, true), withoutUsage: isModelCall(attributes, false) }
    if (kindWords.length <= longestKnownWords) knownWords.set(kindWords, known)
  }
  return reportsUsage ? known.withUsage : known.withoutUsage
}

/** Name of the instrumentation scope in the column `span_scope`; null where the span names none, and for calls that were sent otherwise. */
export function scopeOfSpan(spanScope: string): string | null {
  return spanScope.slice(spanScopeMark.length) || null
}

/** Columns of a call that determine the prices of its usage, as stored. */
export interface PricedCallColumns {
  kind_words: string
  span_scope: string
  service_tier: string
}

/**
 * The facts outside its summary that determine the prices of a call's usage. A span that calls a model is one request. A tracing client adds the
 * usage below a call to its usage, so for a call that is not marked as a model call, one request is uncertain.
 */
export function toUsedIn({ kind_words, span_scope, service_tier }: PricedCallColumns): UsedIn {
  return { isRequest: isModelCallOfWords(kind_words, span_scope !== ''), serviceTier: service_tier }
}
