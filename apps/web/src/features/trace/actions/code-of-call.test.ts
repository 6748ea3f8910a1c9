import type { Call } from '@heddle/core-api/types'
import { parseExactJson, stringifyJson } from '@heddle/json/exact'
import { expect, test } from 'vitest'
import { codeOfCall } from './code-of-call.ts'

const place = { baseUrl: 'http://127.0.0.1:7400', project: 'acme/shop' }

test('a program that reads the call names the server, the project and the call', () => {
  const [read, ...others] = codeOfCall({ id: 'a-call', inputs: { question: 'why' } }, place)
  expect(read?.code).toContain('"http://127.0.0.1:7400"')
  expect(read?.code).toMatch(/"project_id": "acme\/shop",\s+"id": "a-call"/)
  expect(others).toEqual([])
})

test('what a call asked of a model is asked again, and its texts stay values', () => {
  const content = '`${process.exit()}` " \n */'
  const [, again] = codeOfCall({ id: 'a-call', inputs: { model: 'm', messages: [{ role: 'user', content }] } }, place)
  const body = /body: JSON\.stringify\(([^]*)\),\n\}\)/.exec(again?.code ?? '')?.[1] ?? ''
  expect(JSON.parse(body)).toEqual({ model: 'm', messages: [{ role: 'user', content }] })
})

test('code that asks again sends numbers as they were sent', async () => {
  const inputs = parseExactJson(
    '{"model":"m","messages":[{"role":"user","content":"`${b}`"}],"seed":1234567890123456789,"temperature":1.0}',
  )
  const code = codeOfCall({ id: 'c', inputs: inputs as Call['inputs'] }, { baseUrl: 'http://x', project: 'e/p' }).at(-1)?.code ?? ''
  const literal = /body: (".*"),\n/.exec(code)?.[1] ?? ''
  expect(JSON.parse(literal)).toBe(stringifyJson(inputs))
  expect(JSON.parse(literal)).toContain('"seed":1234567890123456789,"temperature":1.0')
  expect(code).toContain('// A text, since JSON.stringify would change some of these numbers.')
})
