import { parseRef } from '@heddle/core-api'
import { JsonText } from '@heddle/core-api/internal'
import { ScannedText } from './scanned-text.ts'

const scheme = 'weave:///'
const maxTextsInTexts = 8
/** A letter of the scheme, or its colon, written as an escape. */
const escapedLetter = /\\u00(?:77|65|61|76|3a)/i

/**
 * All well-formed references that are string values inside a JSON value, or inside texts that are JSON themselves; each once, in order of first
 * occurrence. A ready JSON text counts as its value.
 */
export function collectRefs(value: unknown): string[] {
  const found = new Set<string>()
  visit(value, found, 0)
  return [...found]
}

function visit(value: unknown, found: Set<string>, textDepth: number): void {
  if (typeof value === 'string') visitText(value, found, textDepth)
  else if (value instanceof JsonText) visitReady(value, found, textDepth)
  else if (Array.isArray(value)) for (const element of value) visit(element, found, textDepth)
  else if (value !== null && typeof value === 'object')
    for (const key of Object.keys(value)) visit((value as Record<string, unknown>)[key], found, textDepth)
}

function visitReady(ready: JsonText, found: Set<string>, textDepth: number): void {
  if (ready instanceof ScannedText && !ready.strings.mayHoldRefs) return
  if (mayHoldRef(ready.source)) visit(JSON.parse(ready.json), found, textDepth)
}

/** False for nearly all JSON texts without references, among them those of languages whose letters are escaped: they need not be parsed. */
export function mayHoldRef(source: JsonText['source']): boolean {
  const text = typeof source === 'string' ? source : Buffer.from(source.buffer, source.byteOffset, source.length)
  // The slashes, which may be escaped too, follow these.
  return text.includes('weave:') || (text.includes('\\u00') && escapedLetter.test(text.toString()))
}

function visitText(text: string, found: Set<string>, textDepth: number): void {
  if (text.length < scheme.length) return
  if (text.startsWith(scheme)) {
    if (parseRef(text) !== undefined) found.add(text)
  } else if (textDepth < maxTextsInTexts && (text[0] === '{' || text[0] === '[') && text.includes(scheme)) {
    const inner = parseText(text)
    if (inner !== undefined) visit(inner, found, textDepth + 1)
  }
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
