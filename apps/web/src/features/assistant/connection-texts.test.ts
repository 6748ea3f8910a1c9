import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assistantCommands, assistantSettings } from './connection-texts.ts'

test('the settings are JSON that names the address of the tools, also below a path, and holds no key', () => {
  expect(JSON.parse(assistantSettings('https://heddle.test/team'))).toEqual({
    mcpServers: {
      heddle: { type: 'http', url: 'https://heddle.test/team/mcp', headers: { Authorization: 'Bearer ${HEDDLE_API_KEY}' } },
    },
  })
})

test('a usual project is in the commands as it is', () => {
  expect(assistantCommands({ url: 'http://127.0.0.1:7400', project: 'team/app' }).split('\n')).toEqual([
    'export HEDDLE_BASE_URL=http://127.0.0.1:7400 HEDDLE_API_KEY=KEY',
    'npx @heddle/mcp-server init claude-code --project team/app',
    'npx @heddle/mcp-server init claude-code --project team/app --write',
  ])
})

test('a shell reads the name of any project as one word', () => {
  const name = fc.string({ unit: fc.constantFrom('a', "'", '"', ' ', '$', '`', '\\', ';', '(', 'ü'), minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(name, (project) => {
      const command = assistantCommands({ url: 'http://h', project }).split('\n')[1] ?? ''
      const words = command.replace('npx', "printf '%s|'")
      expect(execFileSync('sh', ['-c', words], { encoding: 'utf8' })).toBe(`@heddle/mcp-server|init|claude-code|--project|${project}|`)
    }),
    { numRuns: 30 },
  )
})
