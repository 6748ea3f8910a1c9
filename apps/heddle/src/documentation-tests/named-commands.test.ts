import { documentsOfRepository, inlineCodeIn } from '@heddle/testing'
import { expect, test } from 'vitest'
import { idleProgram } from './testing/check-heddle-command.ts'
import { faultOfNamedCommand } from './testing/named-command.ts'
import { repository } from './testing/repository.ts'

const { program } = idleProgram({}, [])

test.each([
  ['serve', undefined],
  ['eval show [run] --json', undefined],
  ['eval', undefined],
  ['train from-file <model> <file> [--dry-run]', undefined],
  ['eval shew', '"eval" has no command "shew"'],
  ['eval list --jsn', '"list" has no option --jsn'],
  ['evaluate', '"heddle" has no command "evaluate"'],
])('of `heddle %s` in a sentence the fault is %s', (text, fault) => {
  expect(faultOfNamedCommand(program, text)).toBe(fault)
})

test('commands that sentences of the documents name exist, with their options', () => {
  const faults = documentsOfRepository(repository).flatMap(({ document, text }) =>
    inlineCodeIn(text).flatMap((code) => {
      const [, words] = /^(?:npx )?heddle ([a-z].*)$/.exec(code) ?? []
      const fault = words === undefined ? undefined : faultOfNamedCommand(program, words)
      return fault === undefined ? [] : [`${document}: ${code}: ${fault}`]
    }),
  )
  expect(faults).toEqual([])
})
