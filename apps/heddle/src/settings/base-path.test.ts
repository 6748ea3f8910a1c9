import { expect, test } from 'vitest'
import { runCommandHere } from '../testing/run-command.ts'
import { parseBasePath } from './base-path.ts'

const parse = (text: string) => parseBasePath({ source: 'HEDDLE_BASE_PATH', text })

test.each([
  ['', ''],
  ['/heddle', '/heddle'],
  ['/tools/Heddle-2', '/tools/Heddle-2'],
])('%j is the base path %j', (value, path) => {
  expect(parse(value)).toBe(path)
})

test.each([
  'heddle',
  '/',
  '/heddle/',
  '//heddle',
  '/a//b',
  '/a/../b',
  '/.',
  '/heddle?x=1',
  '/heddle#x',
  '/a b',
  '/%41',
  '/"',
  `/${'x'.repeat(200)}`,
])('%j is refused by its value, with one that is right', (value) => {
  expect(() => parse(value)).toThrow(/^HEDDLE_BASE_PATH must begin with \/ .* such as \/heddle, got /)
  expect(() => parse(value)).toThrow(JSON.stringify(value))
})

test.each(['/v1', '/session/heddle', '/mcp', '/Assets'])('%s is refused, as the server has that path', (value) => {
  expect(() => parse(value)).toThrow(`must not begin with a path of the server, got "${value}"; choose another such as /heddle`)
})

test('the command explains the setting, and refuses a bad value before it starts', async () => {
  expect((await runCommandHere(['serve', '--help'], {})).out).toMatch(/--base-path <path> .*path under which browsers see the server/)
  const { code, note } = await runCommandHere(['serve', '--base-path', '/heddle/'], {})
  expect([code, note]).toEqual([2, expect.stringContaining('--base-path must begin with / and have no / at the end')])
})
