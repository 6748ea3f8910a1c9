import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { codeBlocksIn, documentsOfRepository, runNode } from '@heddle/testing'
import { beforeAll, expect, test } from 'vitest'
import { selects } from './testing/block-coverage.ts'
import type { TypeFaults } from './testing/check-types.ts'
import { repository } from './testing/repository.ts'
import { blocksWithoutTypes, typedPrograms } from './testing/typed-blocks.ts'

const checker = fileURLToPath(new URL('testing/check-types.ts', import.meta.url))
const timeLimitMs = 600_000
const blocks = documentsOfRepository(repository).flatMap(({ document, text }) => codeBlocksIn(document, text))

let checked: readonly TypeFaults[]
beforeAll(async () => {
  const args = ['--import', import.meta.resolve('tsx'), checker]
  // Compiled sources are cached in the folder for temporary files, which must not be the checkout.
  const env = { PATH: process.env['PATH'] ?? '', TMPDIR: tmpdir() }
  const { stdout, stderr, end } = await runNode({ args, folder: repository, env, timeLimitMs })
  expect({ stderr, end }).toEqual({ stderr: '', end: 0 })
  checked = JSON.parse(stdout) as TypeFaults[]
}, timeLimitMs)

test.each(typedPrograms(blocks).map(({ block: { document, line } }) => [document, line] as const))(
  'the code of %s, line %i, agrees with the types that it imports',
  (document, line) => {
    const [, , faults] = checked.find((each) => each[0] === document && each[1] === line) ?? []
    expect(faults).toEqual([])
  },
)

test.each(blocksWithoutTypes.map((each) => [each.document, each] as const))(
  'the code of %s whose types are not checked is there',
  (_, each) => {
    expect(blocks.filter((block) => selects(each, block)).length).toBeGreaterThanOrEqual(each.positions?.length ?? 1)
  },
)
