import { pathBelow } from '@heddle/core-api/internal'
import { isJsonNumber } from '@heddle/json/exact'

/** An image or a sound among the values of a call, or other bytes as text. */
export interface Media {
  /** Path of the value, such as `output.images.0`. */
  path: string
  /** Media type, if recognized by its first bytes or its file name. */
  type: string | undefined
  source: { kind: 'text'; base64: string } | { kind: 'file'; name: string; digest: string }
  /** About this many bytes; undefined for a file. */
  bytes?: number
}

/** Shorter texts are readable enough. */
const leastCharacters = 512
/** More are counted. */
export const maxMedia = 20

/** First characters of bytes as base64. Vector images are not among them: they may hold programs. */
const signatures = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['SUQz', 'audio/mpeg'],
  ['//uQ', 'audio/mpeg'],
  ['T2dnUw', 'audio/ogg'],
] as const
const typesOfNames = [
  [/\.png$/i, 'image/png'],
  [/\.jpe?g$/i, 'image/jpeg'],
  [/\.gif$/i, 'image/gif'],
  [/\.webp$/i, 'image/webp'],
  [/\.wav$/i, 'audio/wav'],
  [/\.mp3$/i, 'audio/mpeg'],
  [/\.ogg$/i, 'audio/ogg'],
] as const

/** A value with its embedded bytes replaced by descriptions, and these bytes. The value itself if it contains none. */
export function mediaIn(value: unknown, path: string): { shown: unknown; media: Media[] } {
  const media: Media[] = []
  const shown = withoutBytes(value, path, media)
  return { shown, media }
}

function withoutBytes(value: unknown, path: string, media: Media[]): unknown {
  if (typeof value === 'string') return textWithoutBytes(value, path, media)
  if (typeof value !== 'object' || value === null || isJsonNumber(value)) return value
  noteFiles(value, path, media)
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, at) => withoutBytes(item, `${path}.${at}`, media))
    return items.some((item, at) => item !== value[at]) ? items : value
  }
  const entries = Object.entries(value).map(([name, member]) => [name, withoutBytes(member, pathBelow(path, name), media), member] as const)
  return entries.some(([, shown, member]) => shown !== member) ? Object.fromEntries(entries.map(([name, shown]) => [name, shown])) : value
}

function textWithoutBytes(text: string, path: string, media: Media[]): string {
  const base64 = base64Of(text)
  if (base64 === undefined) return text
  const bytes = Math.floor((base64.length * 3) / 4)
  media.push({ path, type: typeOfBytes(base64), source: { kind: 'text', base64 }, bytes })
  return `(${sizeText(bytes)} as base64)`
}

/** The base64 of a data address, or a long text that is nothing else. */
function base64Of(text: string): string | undefined {
  if (text.length < leastCharacters) return undefined
  const base64 = /^data:[\w.+/;=-]{0,100};base64,/.exec(text.slice(0, 200)) ? text.slice(text.indexOf(',') + 1) : text
  // A long repetitive word has letters of one kind; bytes have all kinds.
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(base64) && [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(base64)) ? base64 : undefined
}

function typeOfBytes(base64: string): string | undefined {
  const [, type] = signatures.find(([start]) => base64.startsWith(start)) ?? []
  // Both kinds of file have the same first bytes, and differ only after eight.
  return type === 'image/webp' && isWave(base64) ? 'audio/wav' : type
}

function isWave(base64: string): boolean {
  try {
    return atob(base64.slice(0, 16)).slice(8, 12) === 'WAVE'
  } catch {
    return false
  }
}

/** Objects that name the files that hold them, as the Python client writes images and sounds. */
function noteFiles(value: object, path: string, media: Media[]): void {
  const { _type: type, files } = value as { _type?: unknown; files?: unknown }
  if (type !== 'CustomWeaveType' || typeof files !== 'object' || files === null) return
  for (const [name, digest] of Object.entries(files)) {
    const [, known] = typesOfNames.find(([end]) => end.test(name)) ?? []
    if (typeof digest === 'string' && known !== undefined) media.push({ path, type: known, source: { kind: 'file', name, digest } })
  }
}

/** A readable size. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Decodes base64, including its URL variant. @throws Error for invalid base64 */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))
}
