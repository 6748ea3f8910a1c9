import type { Attributes, Link } from '@opentelemetry/api'
import { copySpan } from '../spans/copy-span.ts'
import { maskJson } from './mask-json.ts'
import { textMasks, type MaskPattern } from './mask-patterns.ts'
import type { ReadableSpan } from '../spans/readable-span.ts'

/** Where a text was found. */
export interface MaskedPlace {
  /** Name of the attribute, or `status.message`. */
  attribute: string
  /** The way to the text inside JSON; empty where the value is a plain text. */
  path: readonly string[]
}

/**
 * Data that must not be sent: the name of a pattern, the path of a value (`gen_ai.input.messages.*.content`, where `*` matches any one part;
 * everything below the path is masked too), or a function that returns the text to send instead.
 */
export type Mask = MaskPattern | { path: string } | ((text: string, place: MaskedPlace) => string)

/** Replaces a value whose mask failed. */
const maskFailed = '[mask failed]'

const masked = '[masked]'

/**
 * Masks texts in attributes, events, links and the status of a span; JSON remains JSON. If a mask throws or returns anything but a text, the whole
 * value is replaced; the raw one is never sent.
 */
export function createSpanMask(masks: readonly Mask[], warn: (message: string) => void): (span: ReadableSpan) => ReadableSpan {
  const steps = masks.map(toStep)

  function maskAt(text: string, place: MaskedPlace): string {
    let result = text
    for (const step of steps) result = step(result, place)
    return result
  }
  function maskText(attribute: string, text: string): string {
    return maskJson(text, (inner, path) => maskAt(inner, { attribute, path })) ?? maskAt(text, { attribute, path: [] })
  }
  function maskValue(attribute: string, value: unknown): unknown {
    if (typeof value === 'string') return maskText(attribute, value)
    if (typeof value === 'number' || typeof value === 'bigint') {
      const text = String(value)
      const result = maskAt(text, { attribute, path: [] })
      return result === text ? value : result
    }
    // Inside a list or an object the names of OTLP are those of JSON, so its masked JSON is its masked value.
    if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array))
      return JSON.parse(maskText(attribute, JSON.stringify(value))) as unknown
    return value
  }
  function maskSafely(attribute: string, value: unknown): unknown {
    try {
      return maskValue(attribute, value)
    } catch (error) {
      warn(`a mask failed on ${attribute}, whose value is removed: ${error instanceof Error ? error.name : typeof error}`)
      return maskFailed
    }
  }
  const maskAll = (attributes: Attributes): Attributes =>
    Object.fromEntries(Object.keys(attributes).map((key) => [key, maskSafely(key, readSafely(attributes, key)) as Attributes[string]]))
  const maskLink = (link: Link): Link => (link.attributes === undefined ? link : { ...link, attributes: maskAll(link.attributes) })

  return (span) => {
    const { message } = span.status
    return copySpan(span, {
      attributes: maskAll(span.attributes),
      events: span.events.map((event) => (event.attributes === undefined ? event : { ...event, attributes: maskAll(event.attributes) })),
      links: span.links.map(maskLink),
      status: message === undefined ? span.status : { ...span.status, message: maskSafely('status.message', message) as string },
    })
  }
}

function readSafely(attributes: Attributes, key: string): unknown {
  try {
    return attributes[key]
  } catch {
    return maskFailed
  }
}

function toStep(mask: Mask): (text: string, place: MaskedPlace) => string {
  if (typeof mask === 'string') return textMasks[mask]
  if (typeof mask === 'object') {
    const parts = mask.path.split('.')
    return (text, { attribute, path }) => (isWithin(parts, [...attribute.split('.'), ...path]) ? masked : text)
  }
  return (text, place) => {
    const result: unknown = mask(text, place)
    if (typeof result !== 'string') throw new TypeError('a mask must return a string')
    return result
  }
}

function isWithin(pattern: readonly string[], path: readonly string[]): boolean {
  return path.length >= pattern.length && pattern.every((part, index) => part === '*' || part === path[index])
}
