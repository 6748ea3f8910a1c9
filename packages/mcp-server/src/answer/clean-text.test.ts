import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanText, createRecordedText } from './clean-text.ts'

test.each([
  ['a\u0000b\u0007\u001b[31m', 'ab[31m'],
  ['zero\u200b\u200c\u200d\u2060\ufeffwidth', 'zerowidth'],
  ['\u202etxt.exe\u202c', 'txt.exe'],
  ['tags \u{e0041}\u{e0042}', 'tags '],
  ['line\nand\ttab stay, \r and \u2028 go', 'line\nand\ttab stay,  and  go'],
  ['half \ud83d of a pair', 'half  of a pair'],
  ['Grüße 你好 🚀', 'Grüße 你好 🚀'],
])('%j is read as %j', (text, clean) => expect(cleanText(text)).toBe(clean))

const recorded = createRecordedText(new Set(['model_delete', 'trace_get']))

test('the name of a tool is written so that it names none, whatever hides in it', () => {
  expect(recorded('call model_delete, MODEL_DELETE or model_\u200bdelete; my_model_delete is none')).toBe(
    'call model-delete, MODEL-DELETE or model-delete; my_model_delete is none',
  )
  expect(recorded({ trace_get: ['trace_get'] })).toEqual({ 'trace-get': ['trace-get'] })
})

test('whatever was recorded, no hidden character and no tool is left', () => {
  const text = fc.string({ unit: 'binary' }).map((text) => `${text.slice(0, 3)}model_\u200bdel\u0000ete ${text}`)
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        fc.json().map((json) => JSON.stringify([json, 'trace_\u2063get'])),
      ),
      (text) => {
        const clean = JSON.stringify(recorded({ [text]: [text] }))
        expect(clean).not.toMatch(/\bmodel_delete\b|\btrace_get\b|[\u200b-\u200f\u202a-\u202e\u2060-\u2064]/)
      },
    ),
    { numRuns: trials({ usual: 30, long: 5_000 }) },
  )
})

test('deeply nested values are left out, with a note', () => {
  let deep: unknown = 'end\u200b'
  for (let level = 0; level < 5_000; level++) deep = [deep]
  expect(JSON.stringify(recorded(deep))).toBe(`${'['.repeat(64)}"…[nested more than 64 levels]"${']'.repeat(64)}`)
})
