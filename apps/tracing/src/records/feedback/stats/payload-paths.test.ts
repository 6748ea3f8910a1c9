import { readFileSync } from 'node:fs'
import { parseJson } from '@heddle/json'
import { expect, test } from 'vitest'
import { createPathCollector } from './payload-paths.ts'

interface Vectors {
  payload_schema: { payloads: string[]; paths: object[] }[]
}

const { payload_schema } = JSON.parse(readFileSync(new URL('../../../vectors/stats-vectors.json', import.meta.url), 'utf8')) as Vectors

/** Undefined for a text that is not JSON, which no stored payload is. */
function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

test.each(payload_schema)('payloads $payloads have the recorded paths', ({ payloads, paths }) => {
  const collector = createPathCollector()
  for (const payload of payloads) collector.add(parsed(payload))
  expect(collector.paths()).toEqual(paths)
})
