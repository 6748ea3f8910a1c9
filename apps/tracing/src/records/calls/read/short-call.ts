import { cutText, cutTexts } from '../../../payload/cut-texts.ts'
import type { CallColumns, PayloadColumn } from '../calls-store.ts'

/** The field of an answer that shows each payload. */
const shownAs: Readonly<Record<PayloadColumn, string>> = {
  attributes: 'attributes',
  inputs: 'inputs',
  output: 'output',
  summary: 'summary',
  otel: 'attributes',
}
const payloads = Object.keys(shownAs) as PayloadColumn[]

/** A call in which no text is longer than `maxLength` code points, and the fields of the answer in which texts were cut. */
export function shortCall(call: CallColumns, maxLength: number): { call: CallColumns; cutFields: string[] } {
  const short = { ...call, exception: call.exception === null ? null : cutText(call.exception, maxLength) }
  const cutFields = new Set<string>()
  for (const name of payloads) {
    const text = call[name]
    if (text === null) continue
    short[name] = cutTexts(text, maxLength)
    if (short[name] !== text) cutFields.add(shownAs[name])
  }
  if (short.exception !== call.exception) cutFields.add('exception')
  return { call: short, cutFields: [...cutFields] }
}
