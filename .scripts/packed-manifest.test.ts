import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { projectRoot } from './project-root.mjs'
import { runCommand } from './terminal/run-command.mjs'

interface Manifest {
  name: string
  version: string
  private?: boolean
  scripts: Record<string, string>
  publishConfig?: { exports?: object }
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  exports?: object
}

const timeout = 300_000
const copy = mkdtempSync(join(tmpdir(), 'heddle-manifests-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const manifestIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
const folders = ['packages', 'apps']
  .flatMap((parent) => readdirSync(join(projectRoot, parent)).map((name) => join(parent, name)))
  .filter((folder) => existsSync(join(projectRoot, folder, 'package.json')))
const published = folders.filter((folder) => manifestIn(join(projectRoot, folder)).private !== true)
// One whose dependencies name another package of the workspace.
const exporter = join(copy, 'packages/otel-exporter')

// The manifests alone, without the builds: tests that run at the same time find packages by those of the checkout.
beforeAll(() => {
  for (const path of ['package.json', 'pnpm-workspace.yaml', '.scripts/packed-manifest.mjs']) copyIntoCopy(path)
  for (const folder of folders) {
    copyIntoCopy(join(folder, 'package.json'))
    const manifest = manifestIn(join(copy, folder))
    if (manifest.scripts?.['prepack'])
      manifest.scripts['prepack'] = manifest.scripts['prepack'].replace(`${manifest.scripts['build']} && `, '')
    writeFileSync(join(copy, folder, 'package.json'), JSON.stringify(manifest))
  }
  const folderOf = new Map(folders.map((folder) => [manifestIn(join(copy, folder)).name, folder]))
  for (const folder of folders) {
    const { dependencies, devDependencies } = manifestIn(join(copy, folder))
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      const link = join(copy, folder, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      if (folderOf.has(name)) symlinkSync(join(copy, folderOf.get(name) ?? ''), link)
    }
  }
})

function copyIntoCopy(path: string) {
  mkdirSync(dirname(join(copy, path)), { recursive: true })
  copyFileSync(join(projectRoot, path), join(copy, path))
}

async function runIn(folder: string, command: string) {
  const { code, output } = await runCommand(`cd ${JSON.stringify(folder)} && ${command}`, { timeoutMs: 120_000 })
  return { code, output }
}

async function packedBy(pack: (archives: string) => string, folder: string): Promise<Manifest> {
  const archives = mkdtempSync(join(copy, 'archives-'))
  const { code, output } = await runIn(folder, pack(archives))
  expect(code, output).toBe(0)
  const [archive = ''] = readdirSync(archives)
  const read = await runCommand(['tar', '-xzOf', join(archives, archive), 'package/package.json'], { timeoutMs: 30_000 })
  return JSON.parse(read.output) as Manifest
}

const byNpm = (archives: string) => `npm pack --pack-destination ${JSON.stringify(archives)}`
const byPnpm = (archives: string) => `pnpm pack --pack-destination ${JSON.stringify(archives)}`

test.each(inject('long') ? published : ['packages/otel-exporter'])(
  'npm packs %s with the manifest that pnpm packs, and leaves its own as it was',
  { timeout },
  async (name) => {
    const folder = join(copy, name)
    const source = readFileSync(join(folder, 'package.json'), 'utf8')
    const { scripts: _, ...packed } = await packedBy(byNpm, folder)
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(source)
    const { scripts: __, ...expected } = await packedBy(byPnpm, folder)
    expect(packed).toEqual(expected)
    expect(packed.exports).toEqual(manifestIn(folder).publishConfig?.exports)
    expect(JSON.stringify(packed)).not.toContain('workspace:')
  },
)

test('npm publishes a manifest whose dependencies name versions, and restores its own', { timeout }, async () => {
  const source = readFileSync(join(exporter, 'package.json'), 'utf8')
  const registry = await startRegistry()
  const options = `--registry ${registry.url} --${registry.url.replace('http:', '')}/:_authToken=none --no-provenance`
  const { code, output } = await runIn(exporter, `npm publish ${options}`)
  await registry.close()
  expect(code, output).toBe(0)
  const { version } = manifestIn(join(copy, 'packages/core-api'))
  expect(registry.published.map(({ dependencies }) => dependencies)).toEqual([{ '@heddle/core-api': version }])
  expect(readFileSync(join(exporter, 'package.json'), 'utf8')).toBe(source)
})

test('a packing that was interrupted is undone by the next, unless the manifest was edited meanwhile', { timeout }, async () => {
  const path = join(exporter, 'package.json')
  const source = readFileSync(path, 'utf8')
  expect((await runIn(exporter, 'npm run prepack')).code).toBe(0)
  const applied = readFileSync(path, 'utf8')
  expect(applied).not.toBe(source)

  writeFileSync(path, applied.replace('0.0.0', '0.0.1'))
  const { code, output } = await runIn(exporter, 'npm run postpack')
  expect(code).not.toBe(0)
  expect(output).toContain('package.json was edited')
  expect(readFileSync(path, 'utf8')).toContain('0.0.1')

  writeFileSync(path, applied)
  expect((await packedBy(byNpm, exporter)).exports).toEqual((JSON.parse(source) as Manifest).publishConfig?.exports)
  expect(readFileSync(path, 'utf8')).toBe(source)
})

/** Has no packages, and takes those that are sent. */
async function startRegistry() {
  const published: Manifest[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      if (request.method === 'PUT') {
        const { versions } = JSON.parse(Buffer.concat(parts).toString()) as { versions: Record<string, Manifest> }
        published.push(...Object.values(versions))
      }
      response.writeHead(request.method === 'PUT' ? 201 : 404, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    published,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
