import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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
  expect(scripts['prepack']).toBe(scripts['build'])
})

test.each(packages.map(({ manifest, folder }) => [manifest.name, folder] as const))('%s is packed with the licence', (_, folder) => {
  // npm packs a file of this name, whatever `files` says.
  expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync(join(projectRoot, 'LICENSE'), 'utf8'))
})

// A build takes as long as many tests, so packages are packed only where a run asks for all.
const packed = packages.filter(({ manifest }) => inject('long') && manifest.publishConfig?.exports !== undefined)

test('a package that was never built is packed with all that its exports name', { timeout: 600_000 }, async () => {
  for (const { folder, manifest } of packed) {
    rmSync(join(folder, 'dist'), { recursive: true, force: true })
    const command = `cd ${JSON.stringify(folder)} && npm pack --dry-run --json --foreground-scripts=false`
    const { code, output } = await runCommand(command, { timeoutMs: 120_000 })
    expect(code, output).toBe(0)
    const files = [...output.matchAll(/"path": "(dist\/[^"]+)"/g)].map(([, path]) => path)
    const exported = [...JSON.stringify(manifest.publishConfig?.exports).matchAll(/"\.\/(dist\/[^"]+)"/g)].map(([, path]) => path)
    expect(files, manifest.name).toEqual(expect.arrayContaining(exported))
  }
})
