import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { toEnvFileLines, toShellLines } from './shell-lines.ts'

test('a shell takes every value as it is', () => {
  const value = `a'b"c $HOME \`id\` \\ ;#`
  const output = execFileSync('sh', ['-c', `eval "$LINES_TO_EVAL"; printf %s "$VALUE"`], {
    env: { LINES_TO_EVAL: toShellLines({ VALUE: value }) },
  })
  expect(output.toString()).toBe(value)
})

test('an env file has names and values as they are', () => {
  expect(toEnvFileLines({ A: '1', B: 'x y' })).toBe('A=1\nB=x y')
})
