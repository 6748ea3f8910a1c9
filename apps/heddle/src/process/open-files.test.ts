import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectionLimits } from './connection-limits.ts'
import { maxOpenFiles } from './open-files.ts'

test.each([
  ['Limit  Soft Limit  Hard Limit  Units\nMax open files            1024                 4096                 files     \n', 1024],
  ['Max open files            unlimited            unlimited            files     \n', undefined],
  ['Max processes             62780                62780                processes \n', undefined],
])('%j allows %s open files', (text, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-limits-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'limits'), text)
  expect(maxOpenFiles(join(folder, 'limits'))).toBe(expected)
})

test('without that file the limit is unknown', () => {
  expect(maxOpenFiles('/does/not/exist')).toBeUndefined()
})

test.each([
  [undefined, {}],
  [1_024, { maxConnections: 768, maxConnectionsPerAddress: 576 }],
  [1_048_576, {}],
])('with %s open files the limits of connections are %j', (openFiles, expected) => {
  expect(connectionLimits(openFiles)).toEqual(expected)
})
