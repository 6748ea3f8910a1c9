import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventReader } from './event-reader.ts'

test('what a stream says is read as if each event were parsed alone, but for fields before the choices that are those of the event before', () => {
  const key = fc.constantFrom('choices', 'id', 'a"choices":[', 'usage')
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      fc.constant('x"choices":[1'),
      fc.integer(),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(key, tie('value'), { maxKeys: 3 }),
    ),
  })).value
  const event = fc.dictionary(key, value, { maxKeys: 4 })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 4 }), (events) => {
      const read = createEventReader()
      let before: Record<string, unknown> = {}
      for (const one of events.flatMap((twice) => [twice, twice])) {
        const parsed = JSON.parse(JSON.stringify(one)) as Record<string, unknown>
        const found = read(JSON.stringify(one))
        expect({ ...parsed, ...found }).toEqual(parsed)
        for (const name of Object.keys(parsed).filter((name) => !(name in (found ?? {})))) expect(parsed[name]).toEqual(before[name])
        before = parsed
      }
    }),
  )
})

test.each(['', '[DONE]', 'null', '[{"choices":[]}]', '{"choices":['])('a text that is not a JSON object is left out: %s', (data) => {
  const read = createEventReader()
  expect([read(data), read(data)]).toEqual([undefined, undefined])
})
