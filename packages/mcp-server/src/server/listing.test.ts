import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listingTokens } from '../testing/listing-tokens.ts'
import { describeTool } from '../tools/schema/describe-tool.ts'
import { listBounds } from '../tools/schema/list-bounds.ts'
import { parseArguments } from '../tools/schema/parse-arguments.ts'
import { effectOf } from '../tools/tool.ts'
import { tools } from '../tools/tools.ts'
import { chosenTools } from './chosen-tools.ts'
import { instructions } from './server-info.ts'

const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name)

test('the tools are listed in this order', () => {
  expect(namesOf(tools)).toEqual(namesOf(tools).toSorted())
  expect(namesOf(chosenTools({}))).toEqual([
    'eval_columns_describe',
    'eval_compare',
    'eval_failures_group',
    'eval_results_query',
    'eval_row_get',
    'eval_summary_get',
    'evals_list',
    'model_checkpoints_list',
    'models_list',
    'trace_get',
    'trace_stats',
    'traces_search',
    'training_job_create',
    'training_job_events',
    'training_job_get',
    'training_job_wait',
    'training_jobs_list',
    'training_metrics_get',
    'trajectories_preview',
  ])
})

test('what each tool costs a conversation is committed; the default set is below 6,000 tokens, all of them below 24,000 characters', () => {
  const tokens = listingTokens()
  const committed = JSON.parse(readFileSync(new URL('../../api/listing-tokens.json', import.meta.url), 'utf8')) as object
  expect(tokens, 'run "npm run gen" and commit the result').toEqual(committed)
  expect(tokens.total.default).toBeLessThan(6_000)
  expect(JSON.stringify(tools.map(describeTool)).length).toBeLessThan(24_000)
})

test.each(tools.map((tool) => [tool.name, tool] as const))('%s has a plain description with an example that it takes', (name, tool) => {
  const { description, inputSchema, annotations } = describeTool(tool)
  expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/)
  expect(name.length).toBeLessThanOrEqual(40)
  const example = /Example: (\{.*\})$/.exec(description)?.[1]?.replaceAll('<id>', '018f4a3e-0000-7000-8000-000000000000') ?? ''
  expect(() => parseArguments(tool, JSON.parse(example))).not.toThrow()
  expect(JSON.stringify(inputSchema)).not.toMatch(/\$ref|anyOf|oneOf/)
  expect(annotations).toEqual(
    effectOf(tool) === 'read'
      ? { openWorldHint: false, readOnlyHint: true }
      : { openWorldHint: false, readOnlyHint: false, destructiveHint: expect.any(Boolean), idempotentHint: expect.any(Boolean) },
  )
})

test('every list that a tool takes has a maximum, beyond which its entries are not looked at', () => {
  const bounds = tools.flatMap((tool) => Array.from(listBounds(tool), ([name, max]) => ({ place: `${tool.name}.${name}`, max })))
  expect(bounds.length).toBeGreaterThan(10)
  expect(bounds.filter(({ max }) => max === Infinity)).toEqual([])
  const events = tools.find(({ name }) => name === 'training_job_events')!
  const kinds = Array.from({ length: 450_000 }, () => 0)
  expect(() => parseArguments(events, { job_id: 'a', kinds })).toThrow(/^kinds has 450000 entries, at most 50 are allowed/)
})

test('tools that write or delete are offered to those who may', () => {
  const offered = (choice: Parameters<typeof chosenTools>[0]) => namesOf(chosenTools({ toolsets: ['training', 'annotate'], ...choice }))
  expect(offered({})).not.toContain('feedback_create')
  expect(offered({})).toContain('training_job_create')
  expect(offered({ allowWrites: true })).toContain('feedback_create')
  expect(offered({ allowWrites: true })).not.toContain('model_delete')
  expect(offered({ allowWrites: true, allowDestructive: true })).toContain('model_delete')
  expect(offered({ allowWrites: true, allowDestructive: true, readOnly: true })).not.toContain('training_job_create')
  expect(namesOf(chosenTools({ tools: ['evals_list'] }))).toEqual(['evals_list'])
  expect(namesOf(chosenTools({ toolsets: ['traces'], excludeTools: ['trace_get'] }))).toEqual(['trace_stats', 'traces_search'])
})

test('the instructions are short, and name only tools that there are', () => {
  expect(instructions.split(/\s+/).length).toBeLessThan(150)
  for (const [name] of instructions.matchAll(/\b(?:evals?|traces?|training|models?)_[a-z_]+/g)) expect(namesOf(tools)).toContain(name)
})
