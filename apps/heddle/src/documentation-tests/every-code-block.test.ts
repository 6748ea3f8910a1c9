import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeBlocksIn, type CodeBlock, documentsOfRepository } from '@heddle/testing'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'
import { blocksWithoutTests, blocksWithTests, selects } from './testing/block-coverage.ts'
import { parsedBlocks } from './testing/parsed-blocks.ts'
import { programChecks, uncheckedPrograms } from './testing/program-checks.ts'
import { recordCommands } from './testing/recorded-commands.ts'
import { repository } from './testing/repository.ts'

const blocks = documentsOfRepository(repository).flatMap(({ document, text }) => codeBlocksIn(document, text))
const titleOf = ({ document, line, language }: CodeBlock) => `${document}:${line} (${language || 'no language'})`
const named = (some: readonly CodeBlock[]) => some.map((block) => [titleOf(block), block] as const)

const isSaid = (block: CodeBlock) => [...blocksWithTests, ...blocksWithoutTests].some((each) => selects(each, block))
const shellBlocks = blocks.filter((block) => block.language === 'sh' && !isSaid(block))
const programs = blocks.filter(({ language }) => language === 'ts' || language === 'js')

test('every block of code in the documents is run or read by a test, or has a reason why not', () => {
  const said = [...blocksWithTests, ...parsedBlocks, ...blocksWithoutTests]
  const uncovered = blocks.filter((block) => !shellBlocks.includes(block) && !said.some((each) => selects(each, block)))
  expect(uncovered.map(titleOf)).toEqual([])
})

test.each([...blocksWithTests, ...parsedBlocks, ...blocksWithoutTests])(
  'what is said of $language in $document is about a block',
  (each) => {
    const chosen = blocks.filter((block) => selects(each, block))
    expect(chosen.length).toBeGreaterThanOrEqual(each.positions?.length ?? 1)
  },
)

test.each(blocksWithTests)('$test reads $language in $document', ({ test: path, language, reads }) => {
  const source = readFileSync(join(repository, path), 'utf8')
  expect(source).toContain(reads)
  expect(source).toMatch(new RegExp(`\`\`\`${language}\\b|'${language}'`))
})

test.each(named(shellBlocks))('bash reads %s, and its programs accept each line', (_, { code, document }) => {
  for (const command of recordCommands(code)) {
    const [program = ''] = command.words
    const check = programChecks[program]
    if (check) check(command, { document })
    else expect(uncheckedPrograms, `nothing checks the program "${program}"`).toHaveProperty([program])
  }
})

test('programs that nothing checks are in documents', () => {
  const used = new Set(shellBlocks.flatMap(({ code }) => recordCommands(code).map(({ words: [program] }) => program)))
  expect(Object.keys(uncheckedPrograms).filter((program) => !used.has(program))).toEqual([])
})

test.each(named(programs))('%s is valid', async (_, { code, language }) => {
  await expect(transform(code, { loader: language === 'ts' ? 'ts' : 'js', format: 'esm' })).resolves.toMatchObject({ warnings: [] })
})

test.each(
  parsedBlocks.flatMap(({ what, read, ...selector }) =>
    blocks.flatMap((block) => (selects(selector, block) ? [{ what, read, block }] : [])),
  ),
)('$block.document:$block.line is $what', async ({ read, block }) => {
  await read(block.code)
})
