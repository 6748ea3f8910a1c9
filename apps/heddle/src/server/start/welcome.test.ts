import { expect, test } from 'vitest'
import { commandName, flagsTo, quoted, welcome, type WelcomeFacts } from './welcome.ts'

const facts: WelcomeFacts = {
  version: '1.2.3',
  url: 'http://127.0.0.1:7400',
  publicUrl: 'http://127.0.0.1:7400',
  dataDir: '/data',
  key: { source: 'file', path: '/data/admin-key', isNew: true },
  span: '{"resourceSpans":[]}',
  command: { name: 'heddle', flags: '' },
}

test('a server that is ready says where it is, where the key is, and how to send a first trace', () => {
  expect(welcome(facts).split('\n')).toEqual([
    'Heddle 1.2.3 is ready at http://127.0.0.1:7400',
    '',
    '  Open         http://127.0.0.1:7400   (heddle sign-in-link signs you in)',
    '  Data         /data',
    '  Key          in /data/admin-key',
    `  First trace  curl http://127.0.0.1:7400/otel/v1/traces -u "api:$(cat /data/admin-key)" -H 'project-id: local/default' -H 'content-type: application/json' -d '{"resourceSpans":[]}'`,
    '  See it       heddle traces list',
    '  Look around  heddle demo   (fills local/demo with traces, evaluations and training, in a few minutes)',
    '  Any program  eval "$(heddle print-env)"   (with OpenTelemetry)',
    '',
  ])
})

test('a new key is shown to a person', () => {
  expect(welcome({ ...facts, secret: 'heddle123' })).toContain('  Key          heddle123   (saved in /data/admin-key)')
})

test('a person gets a link that signs in, and how to get another', () => {
  const text = welcome({ ...facts, signInLink: 'http://127.0.0.1:7400/sign-in#hl_x' })
  expect(text).toContain('  Open         http://127.0.0.1:7400/sign-in#hl_x\n')
  expect(text).toContain('for another: heddle sign-in-link')
})

test('a server that others reach without TLS says so before the key', () => {
  const lines = welcome({ ...facts, warning: 'reachable without TLS' }).split('\n')
  const place = lines.indexOf('  WARNING      reachable without TLS')
  expect(place).toBeGreaterThan(0)
  expect(lines.findIndex((line) => line.startsWith('  Key'))).toBeGreaterThan(place)
})

test('a configured key is named, not shown', () => {
  const text = welcome({ ...facts, key: { source: 'configuration' } })
  expect(text).toContain('  Key          from HEDDLE_API_KEY')
  expect(text).toContain('-u "api:$HEDDLE_API_KEY"')
})

test('the command is called as it was called, with what leads to this server', () => {
  expect(commandName('/usr/bin/heddle')).toBe('heddle')
  expect(commandName('dist/main.js')).toBe('node dist/main.js')
  expect(flagsTo({ port: 8000 }, { host: '127.0.0.1', dataDir: '/my data', basePath: '/heddle' })).toBe(
    ` --port 8000 --base-path /heddle --data-dir '/my data'`,
  )
  expect(quoted("it's")).toBe(`'it'\\''s'`)
})
