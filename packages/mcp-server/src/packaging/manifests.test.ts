import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { version } from '../version.ts'
import { type PackageFacts, toBundleManifest, toServerJson } from './manifests.ts'

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as Record<string, unknown>
const facts = read('../../package.json') as unknown as PackageFacts & { name: string; bin: object }
const serverJson = read('../../server.json') as { name: string; version: string; packages: { identifier: string; version: string }[] }
const manifest = read('../../mcpb/manifest.json')

test('the manifests are those of the sources; a change of them is made with "npm run gen"', () => {
  expect(serverJson).toEqual(toServerJson(facts))
  expect(manifest).toEqual(toBundleManifest(facts))
})

test('the names and versions of package, registry entry, bundle and program are the same', () => {
  expect(serverJson.name).toBe(facts.mcpName)
  expect(serverJson.packages.map(({ identifier }) => identifier)).toEqual([facts.name])
  expect(
    new Set([facts.version, version, serverJson.version, manifest['version'], ...serverJson.packages.map((one) => one.version)]).size,
  ).toBe(1)
})

test('the key is marked as a secret wherever it is asked for', () => {
  expect(serverJson).toMatchObject({
    packages: [{ environmentVariables: expect.arrayContaining([expect.objectContaining({ name: 'HEDDLE_API_KEY', isSecret: true })]) }],
  })
  expect(manifest).toMatchObject({ user_config: { heddle_api_key: { sensitive: true, required: true } } })
})

test('the tool of the bundle format takes the manifest', async () => {
  const program = createRequire(import.meta.url)
    .resolve('@anthropic-ai/mcpb')
    .replace(/dist\/.*$/, 'dist/cli/cli.js')
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    'validate',
    fileURLToPath(new URL('../../mcpb/manifest.json', import.meta.url)),
  ])
  expect(stdout).toContain('passes')
})
