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
