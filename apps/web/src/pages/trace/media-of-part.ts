import type { MediaPart } from '@heddle/trace-model'
import type { Media } from '../../components/value/media-in.ts'

/** The bytes that stand in a part of a message; undefined where they are elsewhere. */
export function mediaOfPart({ modality, mimeType, url, data, name }: MediaPart): Media | undefined {
  const base64 = data ?? /^data:[^,]{0,200};base64,([\s\S]*)$/.exec(url ?? '')?.[1]
  if (base64 === undefined) return undefined
  const type = mimeType ?? (modality === 'audio' ? 'audio/wav' : undefined)
  return { path: name ?? modality, type, source: { kind: 'text', base64 }, bytes: Math.floor((base64.length * 3) / 4) }
}
