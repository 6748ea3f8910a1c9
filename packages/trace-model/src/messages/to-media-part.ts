import { firstMember, isObject } from './json-value.ts'
import type { MediaPart } from './message.ts'

/** Members under which conventions put what a media part holds, from the outside in. */
const holders = [
  'image_url',
  'input_audio',
  'inlineData',
  'inline_data',
  'fileData',
  'file_data',
  'image',
  'audio',
  'video',
  'document',
  'file',
  'media',
  'source',
] as const
/** Types of parts, whole or at their beginning, that are media. */
const mediaTypes = /^(?:input_)?(?:image|audio|video|document|file|media|blob|uri|binary)(?:[_-]?(?:url|file))?$/
/** Members that identify a part as media without a type. */
const certainHolders = ['inlineData', 'inline_data', 'fileData', 'file_data', 'media', 'image', 'document', 'video', 'audio']

/** @param type the part's type; undefined if it has none. Returns undefined for a part that is not media. */
export function toMediaPart(part: Readonly<Record<string, unknown>>, type: string | undefined): MediaPart | undefined {
  if (type === undefined ? !certainHolders.some((name) => isObject(part[name])) : !mediaTypes.test(type)) return undefined
  const levels = levelsOf(part)
  const named = (...names: readonly string[]) =>
    levels.map((level) => firstMember(level, ...names)).find((found): found is string => typeof found === 'string' && found !== '')
  const plain = levels.flatMap((level) => holders.map((name) => level[name])).find((value) => typeof value === 'string')
  const address = named('url', 'uri', 'fileUri', 'file_uri', 'path') ?? (isAddress(plain) ? plain : undefined)
  const data = named('data', 'base64', 'bytes', 'file_data', 'content') ?? (isAddress(plain) ? undefined : plain)
  const mimeType = named('mime_type', 'mimeType', 'mediaType', 'media_type', 'contentType', 'image_mimetype') ?? mimeTypeIn(address)
  const fileId = named('file_id', 'fileId')
  if (address === undefined && data === undefined && fileId === undefined) return undefined
  const name = named('filename', 'file_name', 'name')
  return {
    type: 'media',
    modality: modalityOf([mimeType, named('modality'), type, ...levels.flatMap((level) => Object.keys(level)), named('format')]),
    ...(mimeType !== undefined && { mimeType }),
    ...(address === undefined ? data !== undefined && { data } : { url: address }),
    ...(fileId !== undefined && { fileId }),
    ...(name !== undefined && { name }),
  }
}

/** The part, and the objects inside it that hold the rest of it. */
function levelsOf(part: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  const levels = [part]
  for (const level of levels) {
    if (levels.length > 4) break
    for (const name of holders) if (isObject(level[name])) levels.push(level[name])
  }
  return levels
}

const isAddress = (value: unknown): value is string => typeof value === 'string' && /^(?:https?:|data:|gs:|s3:|file:|weave:)/.test(value)

function mimeTypeIn(address: string | undefined): string | undefined {
  return /^data:([\w.+-]+\/[\w.+-]+)/.exec((address ?? '').slice(0, 200))?.[1]
}

function modalityOf(signs: readonly (string | undefined)[]): MediaPart['modality'] {
  for (const sign of signs) {
    const found = /image|audio|video/.exec(sign ?? '')?.[0]
    if (found !== undefined) return found as MediaPart['modality']
  }
  return 'file'
}
