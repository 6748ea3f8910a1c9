import { JsonPieces } from '@heddle/core-api/internal'
import { expect, test } from 'vitest'
import { jsonPiecesResponse } from './json-pieces-response.ts'

test('a small value is sent as one body', async () => {
  const response = await jsonPiecesResponse(new JsonPieces(['{"a":', Buffer.from('"é"'), ',"b":1.0}']))
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.text()).toBe('{"a":"é","b":1.0}')
})

test('a large value is encoded piece by piece, as it is read', async () => {
  let taken = 0
  function* pieces() {
    for (; taken < 1_000; taken++) yield taken === 0 ? '[0' : `,${taken}`
    yield ']'
  }
  const { body } = await jsonPiecesResponse(new JsonPieces(pieces()), { chunkBytes: 100 })
  const reader = body!.getReader()
  const first = await reader.read()
  expect(taken).toBeLessThan(200)
  const decoder = new TextDecoder()
  let text = decoder.decode(first.value)
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += decoder.decode(next.value)
  expect(JSON.parse(text)).toEqual(Array.from({ length: 1_000 }, (_, at) => at))
})
