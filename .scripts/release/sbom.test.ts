import { expect, test } from 'vitest'
import { aboutPackage, bundledComponents } from './sbom.mjs'
import { noticesText } from './third-party-notices.mjs'

test('packages that the notices list as bundled become components, installed ones do not', () => {
  const notices = noticesText({
    bundled: [
      { name: '@scope/a', version: '1.0.0', license: 'MIT', texts: ['Bundled in this package by us'] },
      { name: 'b', version: '2.0.0-rc.1', license: '(MIT OR Apache-2.0)', texts: [] },
    ],
    installed: [{ name: 'engine', version: '3.0.0', license: 'Apache-2.0', texts: [] }],
  })
  expect(bundledComponents(notices)).toMatchObject([
    { name: '@scope/a', version: '1.0.0', purl: 'pkg:npm/%40scope/a@1.0.0', licenses: [{ expression: 'MIT' }] },
    { name: 'b', version: '2.0.0-rc.1', purl: 'pkg:npm/b@2.0.0-rc.1', licenses: [{ expression: '(MIT OR Apache-2.0)' }] },
  ])
  expect(bundledComponents(noticesText({ bundled: [] }))).toEqual([])
  expect(bundledComponents('')).toEqual([])
})

test('the bill of materials describes the package, not the folder that npm read', () => {
  const [own, other] = ['heddle', 'pg'].map((name) => ({ name, version: '1.0.0', 'bom-ref': `${name}@1.0.0` })) as [never, never]
  const sbom = aboutPackage(
    {
      metadata: { component: { name: 'sbom', version: '0.0.0', 'bom-ref': 'sbom@0.0.0' } },
      components: [own, other],
      dependencies: [
        { ref: 'sbom@0.0.0', dependsOn: ['heddle@1.0.0'] },
        { ref: 'heddle@1.0.0', dependsOn: ['pg@1.0.0'] },
      ],
    },
    'heddle',
    [],
  )
  expect(sbom).toEqual({
    metadata: { component: own },
    components: [other],
    dependencies: [{ ref: 'heddle@1.0.0', dependsOn: ['pg@1.0.0'] }],
  })
})

test('a bill of materials that does not name the package is refused', () => {
  const root = { name: 'sbom', version: '0.0.0', 'bom-ref': 'sbom@0.0.0' }
  expect(() => aboutPackage({ metadata: { component: root }, components: [], dependencies: [] }, 'heddle', [])).toThrow(
    /does not name heddle/,
  )
})
