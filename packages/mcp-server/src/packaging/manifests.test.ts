import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { bundleProgram } from '../testing/bundle-program.ts'
import { version } from '../version.ts'
import { layOutBundle } from './lay-out-bundle.ts'
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

test('the key is marked as a secret wherever it is requested', () => {
  expect(serverJson).toMatchObject({
    packages: [{ environmentVariables: expect.arrayContaining([expect.objectContaining({ name: 'HEDDLE_API_KEY', isSecret: true })]) }],
  })
  expect(manifest).toMatchObject({ user_config: { heddle_api_key: { sensitive: true, required: true } } })
})

const bundler = createRequire(import.meta.url)
  .resolve('@anthropic-ai/mcpb')
  .replace(/dist\/.*$/, 'dist/cli/cli.js')
const bundle = (...args: string[]) => promisify(execFile)(process.execPath, [bundler, ...args], { timeout: 60_000 })

test('the tool of the bundle format takes the manifest', async () => {
  const { stdout } = await bundle('validate', fileURLToPath(new URL('../../mcpb/manifest.json', import.meta.url)))
  expect(stdout).toContain('passes')
})

test('the packed bundle has the manifest and the program, which lists the tools of the manifest', { timeout: 120_000 }, async () => {
  const program = await bundleProgram()
  const folder = mkdtempSync(join(tmpdir(), 'heddle-mcpb-'))
  try {
    const [packed, unpacked] = [join(folder, 'heddle.mcpb'), join(folder, 'unpacked')]
    await bundle('pack', layOutBundle({ program: program.path, into: join(folder, 'bundle') }), packed)
    await bundle('unpack', packed, unpacked)
    expect(readdirSync(unpacked, { recursive: true }).toSorted()).toEqual(['manifest.json', 'server', 'server/bin.mjs'])
    const { server, tools } = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8')) as {
      server: { mcp_config: { args: string[] } }
      tools: { name: string }[]
    }
    const args = server.mcp_config.args.map((arg) => arg.replace('${__dirname}', unpacked))
    const client = new Client({ name: 'tests', version: '1' })
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [...args, '--allow-destructive'], env: { HEDDLE_API_KEY: 'k' } }),
    )
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
    await client.close()
  } finally {
    program.remove()
    rmSync(folder, { recursive: true, force: true })
  }
})
