import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { codeBlocksIn } from '@heddle/testing'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { metricsPath } from '../metrics/metrics-routes.ts'
import { createProgram } from '../program.ts'
import { livePath, readyPath } from '../health/health-routes.ts'
import { chartSettings } from '../settings/chart-settings.ts'
import { fileVariableOf } from '../settings/secret-files.ts'
import { isGivenAsFile, settingKeys, settings, variableOf } from '../settings/settings.ts'
import { version } from '../settings/version.ts'
import { toTerminal } from '../terminal/terminal.ts'

type Tree = { [key: string]: unknown }

const folder = fileURLToPath(new URL('../../deploy/helm/heddle/', import.meta.url))
const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const templates = readdirSync(join(folder, 'templates')).map((name) => [name, read(join('templates', name))] as const)
const allTemplates = templates.map(([, text]) => text).join('\n')
const values: Tree = parse(read('values.yaml'))
const schema: Tree & { properties: Record<string, { propertyNames: { enum: string[] } }> } = JSON.parse(read('values.schema.json'))
const examples = readdirSync(join(folder, 'ci'))
const { $schema: _dialect, ...rules } = schema
const isValid = new Ajv2019({ strict: false, allErrors: true }).compile(rules)

/** Values as a release has them: those of a file over the defaults. */
function over(base: unknown, given: unknown): unknown {
  if (!isTree(base) || !isTree(given)) return given
  const merged: Tree = { ...base }
  for (const [key, value] of Object.entries(given)) merged[key] = key in base ? over(base[key], value) : value
  return merged
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Paths of all values, such as `ingress.tls.secretName`. */
function pathsOf(tree: Tree, prefix = ''): string[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    isTree(value) && Object.keys(value).length > 0 ? pathsOf(value, `${prefix}${key}.`) : [`${prefix}${key}`],
  )
}

function errorsOf(given: unknown): string[] {
  isValid(given)
  return (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`)
}

test('each variable in the templates is a setting of the server, and each file of a secret is of a setting that may be a file', () => {
  const variables = [...allTemplates.matchAll(/name: (HEDDLE_\w+|AWS_\w+),|"(HEDDLE_\w+|AWS_\w+)"/g)].map(
    ([, plain, quoted]) => plain ?? quoted,
  )
  const known = [...settingKeys.map(variableOf), 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
  expect(variables.filter((name) => !known.includes(name ?? ''))).toEqual([])
  expect(variables.length).toBeGreaterThan(10)
  const secrets = [...allTemplates.matchAll(/dict "variable" "(\w+)"/g)].map(([, name = '']) => name)
  const given = [...settingKeys.filter(isGivenAsFile).map(variableOf), 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
  expect(secrets.filter((name) => !given.includes(name))).toEqual([])
  expect(new Set(secrets).size).toBe(5)
  expect(allTemplates).toContain(`name: {{ .variable }}${fileVariableOf('')},`)
  expect(allTemplates).not.toContain('secretKeyRef')
})

test('`settings` and `settingsFromSecrets` accept every setting without a dedicated chart value, and no secret in plain text', () => {
  const { plain, fromSecrets } = chartSettings()
  expect(schema.properties['settings']?.propertyNames.enum).toEqual(plain)
  expect(schema.properties['settingsFromSecrets']?.propertyNames.enum).toEqual(fromSecrets)
  // Every other one is set by the templates, but for the time zone of commands and the address that commands use.
  const isThere = (name: string) => [...plain, ...fromSecrets].includes(name) || allTemplates.includes(name)
  expect(settingKeys.map(variableOf).filter((name) => !isThere(name))).toEqual(['HEDDLE_TIME_ZONE'])
})

test('every value that a template reads exists, and every value is read and explained', () => {
  const paths = pathsOf(values)
  const readValues = [...allTemplates.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path)
  const exists = (path: string) => paths.some((each) => each === path || each.startsWith(`${path}.`))
  expect(readValues.filter((path) => !exists(path))).toEqual([])
  // A template that takes a group as a whole reads all of it.
  const isRead = (path: string) => readValues.some((each) => path === each || path.startsWith(`${each}.`))
  expect(paths.filter((path) => !isRead(path))).toEqual([])
  const explained = [...read('README.md').matchAll(/^\| `([\w.]+)`/gm)].map(([, path]) => path)
  expect(explained).toEqual(paths)
})

test('defaults and all examples are valid by the schema', () => {
  expect(errorsOf(values)).toEqual([])
  for (const name of examples) expect([name, errorsOf(over(values, parse(read(join('ci', name)))))]).toEqual([name, []])
})

test('the values in the README are valid by the schema, or annotations of one ingress controller', () => {
  const given = codeBlocksIn('README.md', read('README.md')).flatMap(({ language, code }) => (language === 'yaml' ? [parse(code)] : []))
  expect(given.map((each) => errorsOf(over(values, each)))).toEqual([[], []])
})

test.each([
  ['a misspelt value', { ingres: { enabled: true } }, 'must NOT have additional properties'],
  ['a setting that does not exist', { settings: { HEDDLE_LOG_LEVL: 'info' } }, '/settings property name must be valid'],
  ['a secret in plain text', { settings: { HEDDLE_OPENAI_API_KEY: 'x' } }, '/settings property name must be valid'],
  ['scale-out without its stores', { mode: 'scale-out' }, '/secrets/clickhouseUrl/name must NOT have fewer than 1 characters'],
  [
    'backups without a place',
    { embedded: { backup: { enabled: true } } },
    '/embedded/backup/claimName must NOT have fewer than 1 characters',
  ],
  ['a volume that no second pod can mount', { embedded: { persistence: { accessModes: ['ReadWriteOncePod'] } } }, '/embedded/persistence'],
])('the schema refuses %s', (_what, given, error) => {
  expect(errorsOf(over(values, given))).toContainEqual(expect.stringContaining(error))
})

test('ports, probes, commands, user and version are those of the server', () => {
  expect(values['service']).toMatchObject({ port: Number(settings.port.default) })
  const probed = [...allTemplates.matchAll(/httpGet: \{ path: (\S+), port: http \}/g)].map(([, path]) => path)
  expect(probed).toEqual([readyPath, readyPath, livePath])
  expect(allTemplates).toContain(`path: ${metricsPath},`)
  const nothing = () => undefined
  const terminal = toTerminal({ out: nothing, note: nothing, status: nothing, isInteractive: false })
  const program = createProgram({ environment: {}, terminal, setExitCode: nothing })
  const commands = [...allTemplates.matchAll(/args: \[([\w-]+)\]|main\.js ([\w-]+)/g)].map(([, argument, word]) => argument ?? word ?? '')
  expect(new Set(commands)).toEqual(new Set(['serve', 'migrate', 'backup', 'restore', 'sign-in-link']))
  expect(commands.filter((name) => !program.commands.some((command) => command.name() === name))).toEqual([])
  const dockerfile = readFileSync(join(folder, '../../Dockerfile'), 'utf8')
  expect(dockerfile).toContain('USER 65532:65532')
  expect(allTemplates).toMatch(/runAsUser: 65532\n\s+runAsGroup: 65532/)
  expect(parse(read('Chart.yaml'))).toMatchObject({ version, appVersion: version })
})

test('each container has a read-only root and no capabilities, and no pod a token of the cluster', () => {
  const count = (text: string) => allTemplates.split(text).length - 1
  expect(count('readOnlyRootFilesystem: true')).toBe(1)
  expect(count('capabilities: { drop: [ALL] }')).toBe(1)
  // The server twice by one definition, the migration and the backup.
  expect(count('include "heddle.containerDefaults"')).toBe(3)
  expect(count('include "heddle.podDefaults"')).toBe(3)
  expect(count('automountServiceAccountToken: false')).toBe(1)
  expect(allTemplates.match(/^\s+image: /gm) ?? []).toEqual([])
})
