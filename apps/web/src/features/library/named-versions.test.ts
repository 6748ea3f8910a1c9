import { expect, test } from 'vitest'
import { namedVersions } from './named-versions.ts'

const version = { object_id: 'a', digest: 'd', version_index: 0, kind: 'object', aliases: null }
const link = { project_id: 'e/r', portfolio_name: 'best', version_index: 2, aliases: ['production'], wb_user_id: 'me', created_at: 'now' }

test('versions with an alias of their own or in a registry are named, others are not', () => {
  const versions = [
    { ...version, aliases: ['latest', 'production'] },
    { ...version, aliases: ['latest'] },
    version,
    { ...version, kind: 'op', registry_links: [link] },
    { ...version, registry_links: [] },
  ]
  expect(namedVersions(versions)).toEqual([
    { objectId: 'a', isOp: false, digest: 'd', index: 0, aliases: ['production'], links: [] },
    { objectId: 'a', isOp: true, digest: 'd', index: 0, aliases: [], links: [link] },
  ])
})
