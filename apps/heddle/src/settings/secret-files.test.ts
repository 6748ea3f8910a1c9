import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { toConfiguration, warningsOf } from './configuration.ts'
import { fileVariableOf, readSecretVariable } from './secret-files.ts'
import { flagOf, isGivenAsFile, type SettingKey, settingKeys, variableOf } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'heddle-secret-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const addresses: Partial<Record<SettingKey, string>> = {
  clickhouseUrl: 'http://u:secret-of-the-file@h/',
  databaseUrl: 'postgres://u:secret-of-the-file@h/d',
  inferenceCatalogue: 'https://u:secret-of-the-file@h/models',
  telemetryHeaders: 'authorization=secret-of-the-file',
}
const textOf = (key: SettingKey) => addresses[key] ?? 'secret-of-the-file'

const fileKeys = settingKeys.filter(isGivenAsFile)

test('every setting that may hold a secret can be given as a file', () => {
  expect(fileKeys).toEqual([
    'apiKey',
    'clickhouseUrl',
    'databaseUrl',
    'telemetryHeaders',
    'openaiApiKey',
    'inferenceCatalogue',
    'trainingEngineApiKey',
    'trainingLauncherToken',
    'samplerApiKey',
  ])
})

describe.each(fileKeys)('the setting %s', (key) => {
  const variable = variableOf(key)
  const ofFile = fileVariableOf(variable)
  const read = (environment: Record<string, string>, flags = {}) => toConfiguration({ environment, flags })[key]

  test('has the same value from a file, with or without a final line break', () => {
    const direct = read({ [variable]: textOf(key) })
    expect(direct).toBeDefined()
    for (const end of ['', '\n', '\r\n']) expect(read({ [ofFile]: file(key, textOf(key) + end) })).toEqual(direct)
    expect(warningsOf({ [ofFile]: '/x' })).toEqual([])
  })

  test('is refused if both variable and file are set, and a flag overrides both', () => {
    const both = { [variable]: textOf(key), [ofFile]: file(key, textOf(key)) }
    expect(() => read(both)).toThrow(`${variable} and ${ofFile} are both set; remove one of them`)
    expect(read(both, { [key]: textOf(key) })).toEqual(read({ [variable]: textOf(key) }))
    expect(flagOf(key)).not.toContain('file')
  })
})

test.each([
  ['no file', () => join(folder, 'missing'), (path: string) => `cannot read the file ${path} of SECRET_FILE (ENOENT)`],
  ['a folder', () => folder, (path: string) => `cannot read the file ${path} of SECRET_FILE (EISDIR)`],
  ['an empty file', () => file('empty', '\n'), (path: string) => `the file ${path} of SECRET_FILE is empty`],
  [
    'a large file',
    () => file('large', 'x'.repeat(65_537)),
    (path: string) => `the file ${path} of SECRET_FILE has more than 65536 bytes; it should hold the secret alone`,
  ],
])('%s is refused with its path, and never with what it holds', (_, make, message) => {
  const path = make()
  expect(() => readSecretVariable({ SECRET_FILE: path }, 'SECRET')).toThrow(message(path))
})

test('an empty variable counts as not set, on either side', () => {
  const path = file('value', 'inside')
  expect(readSecretVariable({ SECRET: '', SECRET_FILE: path }, 'SECRET')).toBe('inside')
  expect(readSecretVariable({ SECRET: 'direct', SECRET_FILE: '' }, 'SECRET')).toBe('direct')
  expect(readSecretVariable({}, 'SECRET')).toBeUndefined()
})

test('the credentials of a bucket can be files', () => {
  const environment = {
    HEDDLE_BLOBS_URL: 's3://bucket/',
    AWS_ACCESS_KEY_ID_FILE: file('id', 'the-id\n'),
    AWS_SECRET_ACCESS_KEY_FILE: file('key', 'the-key\n'),
    AWS_SESSION_TOKEN_FILE: file('token', 'the-token\n'),
  }
  const { blobsUrl } = toConfiguration({ environment, flags: {} })
  expect(blobsUrl).toMatchObject({ accessKeyId: 'the-id', secretAccessKey: 'the-key', sessionToken: 'the-token' })
})
