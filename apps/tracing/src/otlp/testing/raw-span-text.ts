import { ScratchBuffer, writeJson } from '@heddle/json'
import { fillRawSpan } from '../../payload/raw-span-text.ts'
import type { MappedSpan } from '../map/map-span.ts'
import { writeRawSpan } from '../raw-span.ts'

/** The raw span as a reader of the call gets it: stored, and filled from the columns of the call. */
export function rawSpanText(call: MappedSpan): string {
  const texts = { inputs: writeJson(call.inputs), output: writeJson(call.output), attributes: writeJson(call.attributes) }
  return fillRawSpan(storedRawSpan(call), { ...call, parent_id: call.parent_id ?? '', ...texts })
}

/** The raw span as it is stored. */
export function storedRawSpan(call: MappedSpan): string {
  return Buffer.from(writeRawSpan(call.rawSpan, call, new ScratchBuffer())).toString()
}
