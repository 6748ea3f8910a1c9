import { isApiError } from '@heddle/core-api'
import { expect, test } from 'vitest'
import { readGraphqlRequest } from './graphql-request.ts'

const read = (body: string) => readGraphqlRequest(new Request('http://heddle.test/graphql', { method: 'POST', body }))
const document = (query: string) => JSON.stringify({ query, operationName: 'Q', variables: { a: 1.5 } })

test('the document comes with its name and its variables', async () => {
  expect(await read(document('{viewer{id}}'))).toEqual({ document: '{viewer{id}}', operation: 'Q', variables: { a: 1.5 } })
  expect(await read('{"query":"{a}"}')).toEqual({ document: '{a}', operation: undefined, variables: {} })
})

test.each<[string, string, number]>([
  ['has 100,000 characters', document(' '.repeat(100_000)), 200],
  ['has more', document(' '.repeat(100_001)), 413],
  ['is 50 levels deep', document(`${'{a('.repeat(25)}${')}'.repeat(25)}`), 200],
  ['is deeper', document('{a'.repeat(51)), 413],
  ['has variables 100 levels deep', `{"query":"{a}","variables":${'{"a":'.repeat(98)}[]${'}'.repeat(98)}}`, 200],
  ['has deeper variables', `{"query":"{a}","variables":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`, 413],
  ['has 100,001 values', `{"query":"{a}","variables":{"a":[${'1,'.repeat(100_000)}1]}}`, 413],
  ['is not JSON', '{"query":', 400],
  ['has no document', '{"query":1}', 400],
  ['is a list', '["query"]', 400],
])('a request that %s', async (_, body, expected) => {
  const status = await read(body).then(
    () => 200,
    (error: unknown) => (isApiError(error) ? error.status : error),
  )
  expect(status).toBe(expected)
})
