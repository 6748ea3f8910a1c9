import { expect, test } from 'vitest'
import { assertEngine } from './embedded-engine.ts'

const packages = {
  '@chdb/lib-darwin-arm64': '26.7.3',
  '@chdb/lib-darwin-x64': '26.7.3',
  '@chdb/lib-linux-arm64-gnu': '26.7.3',
  '@chdb/lib-linux-x64-gnu': '26.7.3',
}

test.each([
  ['darwin', 'arm64', '@chdb/lib-darwin-arm64'],
  ['darwin', 'x64', '@chdb/lib-darwin-x64'],
  ['linux', 'arm64', '@chdb/lib-linux-arm64-gnu'],
  ['linux', 'x64', '@chdb/lib-linux-x64-gnu'],
])('on %s-%s the engine is %s; without it the error names it, and the way without', (platform, arch, name) => {
  assertEngine({ platform, arch, packages, isInstalled: (asked) => asked === name })
  expect(() => assertEngine({ platform, arch, packages, isInstalled: (asked) => asked !== name })).toThrow(
    `package ${name} 26.7.3 is missing (it needs glibc on Linux); install again, or a ClickHouse server by HEDDLE_CLICKHOUSE_URL does without it`,
  )
})

test('a machine without an engine is told so', () => {
  expect(() => assertEngine({ platform: 'win32', arch: 'x64', packages, isInstalled: () => true })).toThrow(
    'there is no embedded engine for win32-x64; a ClickHouse server by HEDDLE_CLICKHOUSE_URL does without it',
  )
})
