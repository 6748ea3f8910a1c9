import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { projectRoot } from './project-root.mjs'
import { runCommand } from './terminal/run-command.mjs'

interface Manifest {
  name: string
  private?: boolean
  files?: string[]
  scripts: Record<string, string>
  publishConfig?: { exports?: object }
}

const packages = ['packages', 'apps']
  .flatMap((parent) => readdirSync(join(projectRoot, parent)).map((name) => join(projectRoot, parent, name)))
  .filter((folder) => existsSync(join(folder, 'package.json')))
  .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest }))
  .filter(({ manifest }) => manifest.private !== true)

test.each(packages.map(({ manifest }) => [manifest.name, manifest] as const))('packing %s builds it first', (_, { scripts, files }) => {
  expect(files).toContain('dist')
  expect(scripts['prepack']).toBe(`${scripts['build']} && node ../../.scripts/packed-manifest.mjs apply`)
  expect([scripts['postpack'], scripts['postpublish']]).toEqual(Array(2).fill('node ../../.scripts/packed-manifest.mjs restore'))
})

test.each(packages.map(({ manifest, folder }) => [manifest.name, folder] as const))('%s is packed with the licence', (_, folder) => {
  // npm packs a file of this name, whatever `files` says.
  expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync(join(projectRoot, 'LICENSE'), 'utf8'))
})

// A build takes as long as many tests, so packages are packed only in runs of all tests.
const packed = packages.filter(({ manifest }) => inject('long') && manifest.publishConfig?.exports !== undefined)

// By pnpm, since npm would change manifests that other tests resolve packages by.
test('a package that was never built is packed with all that its exports name', { timeout: 600_000 }, async () => {
  const archive = join(tmpdir(), `heddle-packing-${process.pid}.tgz`)
  for (const { folder, manifest } of packed) {
    rmSync(join(folder, 'dist'), { recursive: true, force: true })
    const command = `cd ${JSON.stringify(folder)} && pnpm pack --out ${JSON.stringify(archive)}`
    const { code, output } = await runCommand(command, { timeoutMs: 120_000 })
    expect(code, output).toBe(0)
    const files = (await runCommand(['tar', '-tzf', archive], { timeoutMs: 30_000 })).output
      .split('\n')
      .map((path) => path.replace('package/', ''))
    rmSync(archive)
    const exported = [...JSON.stringify(manifest.publishConfig?.exports).matchAll(/"\.\/(dist\/[^"]+)"/g)].map(([, path]) => path)
    expect(files, manifest.name).toEqual(expect.arrayContaining(exported))
  }
})
