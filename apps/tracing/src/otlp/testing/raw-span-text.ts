import { ScratchBuffer, writeJson } from '@heddle/json'
import { fillRawSpan } from '../../payload/raw-span-text.ts'
import type { MappedSpan } from '../map/map-span.ts'
import { writeRawSpan } from '../raw-span.ts'

/** The raw span as a reader of the call gets it: stored, and filled from the columns of the call. */
export function rawSpanText(call: MappedSpan): string {
  const { inputs, output, attributes, summary } = call
  const texts = { inputs: writeJson(inputs), output: writeJson(output), attributes: writeJson(attributes), summary: writeJson(summary) }
  return fillRawSpan(storedRawSpan(call), { ...call, parent_id: call.parent_id ?? '', ...texts })
}

/** The raw span as it is stored. */
export function storedRawSpan(call: MappedSpan): string {
  const texts = { attributes: Buffer.from(writeJson(call.attributes)), summary: Buffer.from(writeJson(call.summary)) }
  return Buffer.from(writeRawSpan(call.rawSpan, call, texts, new ScratchBuffer())).toString()
}
