import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { projectRoot } from '../project-root.mjs'
import { bundledPackages, installedPackages, noticesText } from './third-party-notices.mjs'

function packageFolder(name: string, manifest: object, files: Record<string, string> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'heddle-notices-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'node_modules', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.2.3', ...manifest }))
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
  return folder
}

test('a bundled package is listed once, with the texts of its license and notice', () => {
  const folder = packageFolder('@scope/thing', { license: 'MIT' }, { LICENSE: 'You may.', 'NOTICE.md': 'By us.', 'license.js': 'code' })
  const bundled = bundledPackages([join(folder, 'a.js'), join(folder, 'deep/b.js')])
  expect(bundled).toEqual([{ name: '@scope/thing', version: '1.2.3', license: 'MIT', texts: ['You may.', 'By us.'] }])
  const text = noticesText({ bundled })
  expect(text.split('@scope/thing 1.2.3 (MIT)')).toHaveLength(3)
  expect(text).toContain('You may.')
})

test('a license in the older form, a list of types with addresses, is also read', () => {
  const folder = packageFolder('older', { licenses: [{ type: 'MIT', url: 'https://licences.example/mit' }] })
  expect(bundledPackages([join(folder, 'index.js')])).toMatchObject([{ name: 'older', license: 'MIT', texts: [] }])
})

test('modules of this repository, virtual modules and workspace packages are not third-party', () => {
  const own = packageFolder('@heddle/core-api', { license: 'Apache-2.0' })
  expect(bundledPackages([join(projectRoot, 'apps/web/src/app.tsx'), '\0virtual:/node_modules/x/y.js', join(own, 'a.js')])).toEqual([])
})

test('a package that states no license is rejected by name', () => {
  const folder = packageFolder('unclear', {})
  expect(() => bundledPackages([join(folder, 'index.js')])).toThrow(/unclear 1\.2\.3 states no licence/)
})

test('the dependencies of the command are listed with the embedded engine and their own dependencies', () => {
  const installed = installedPackages(join(projectRoot, 'apps/heddle'))
  const names = installed.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['chdb', '@clickhouse/client-common', 'libsql', 'pg', 'pg-protocol', 'commander']))
  expect(names.filter((name) => name.startsWith('@heddle/'))).toEqual([])
  expect(installed.find(({ name }) => name === 'chdb')?.texts.join('')).toContain('Apache License')
})
