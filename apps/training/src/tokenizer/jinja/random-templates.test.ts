import { readFileSync } from 'node:fs'
import { parseJson } from '@heddle/json'
import { expect, test } from 'vitest'
import { templateGlobals } from '../template-globals.ts'
import { fromJson } from './from-json.ts'
import { parseTemplate } from './parse.ts'
import { renderTemplate } from './render.ts'
import type { Value } from '../python/values.ts'

/** Recorded by `apps/training/chat-templates/random_templates.py`: templates by chance, and what Jinja writes of them in the environment of Transformers; null for an error. */
const recorded = parseJson(readFileSync(new URL('../vectors/python-templates.json', import.meta.url))) as {
  values: Record<string, unknown>
  cases: [string, string | null][]
}

function render(template: string): string | null {
  const values = Object.entries(recorded.values).map(([name, value]): [string, Value] => [name, fromJson(value)])
  const variables = new Map([...Object.entries(templateGlobals(() => new Date(0))), ...values])
  try {
    return renderTemplate(parseTemplate(template), variables)
  } catch {
    return null
  }
}

test('templates by chance write what they write under Python, and fail where they fail there', () => {
  const differing = recorded.cases.flatMap(([template, expected]) => {
    const written = render(template)
    return written === expected ? [] : [{ template, expected, written }]
  })
  expect(differing).toEqual([])
  expect(recorded.cases.filter(([, expected]) => expected !== null).length).toBeGreaterThanOrEqual(1_000)
})
