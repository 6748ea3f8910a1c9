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
])('on %s-%s the engine is %s; without it the error names it and the way out', (platform, arch, name) => {
  assertEngine({ platform, arch, packages, isInstalled: (asked) => asked === name })
  expect(() => assertEngine({ platform, arch, packages, isInstalled: (asked) => asked !== name })).toThrow(
    `package ${name} 26.7.3 is missing (it needs glibc on Linux); reinstall, or set HEDDLE_CLICKHOUSE_URL to use a ClickHouse server instead`,
  )
})

test('a platform without an engine gets an error with the way out', () => {
  expect(() => assertEngine({ platform: 'win32', arch: 'x64', packages, isInstalled: () => true })).toThrow(
    'the embedded engine does not support win32-x64; set HEDDLE_CLICKHOUSE_URL to use a ClickHouse server instead',
  )
})
