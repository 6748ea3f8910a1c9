import { isJsonNumber } from '@heddle/json/exact'
import { tracing } from '@heddle/core-api'
import { pathBelow } from '@heddle/core-api/internal'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { cutText } from '../../answer/cut-texts.ts'
import { inProject } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { EvaluationId } from './eval-ids.ts'
import { round } from './headline-scores.ts'
import { readRows } from './read-rows.ts'

const Input = z.object({ ...inProject, evaluation_call_id: EvaluationId })

const Output = z.object({
  columns: z.array(z.object({ path: z.string(), type: z.string(), fill_rate: z.number(), example: z.unknown() })),
})

/** The paths that can be named in filters, orders and columns. */
export const evalColumnsDescribe = defineTool({
  name: 'eval_columns_describe',
  title: 'Describe evaluation columns',
  description: 'Paths of a run, for filters, sort_by and columns. Example: {"evaluation_call_id": "<id>"}',
  toolset: 'evals',
  operation: tracing.evalResults.query,
  input: Input,
  output: Output,
  run: describe,
})

const maxColumns = 200
const maxDepth = 6

interface Column {
  count: number
  types: Set<string>
  example: unknown
}

async function describe({ evaluation_call_id }: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const { rows, warnings } = await readRows(context, { evaluations: [evaluation_call_id], withInputs: true })
  const columns = new Map<string, Column>()
  let trials = 0
  for (const row of rows) {
    for (const trial of row.evaluations.flatMap((one) => one.trials)) {
      trials++
      collect(columns, 'inputs', row.raw_data_row)
      collect(columns, 'outputs', trial.model_output)
      collect(columns, 'scores', trial.scores)
    }
  }
  const described = [...columns].slice(0, maxColumns).map(([path, { count, types, example }]) => ({
    path,
    type: [...types].join(' or '),
    fill_rate: round(count / Math.max(trials, 1)),
    example: typeof example === 'string' ? cutText(example, 100) : example,
  }))
  return {
    headline: `${columns.size} columns in ${trials} trials of ${rows.length} rows.`,
    data: { columns: context.recorded(described) },
    warnings: columns.size > maxColumns ? [...warnings, `only the first ${maxColumns} columns are listed`] : warnings,
  }
}

function collect(columns: Map<string, Column>, path: string, value: unknown, depth = 0): void {
  if (value === null || value === undefined) return
  const isNumber = isJsonNumber(value)
  if (typeof value === 'object' && !Array.isArray(value) && !isNumber && depth < maxDepth) {
    for (const [key, member] of Object.entries(value)) collect(columns, pathBelow(path, key), member, depth + 1)
    return
  }
  const column = columns.get(path) ?? { count: 0, types: new Set(), example: typeof value === 'object' && !isNumber ? null : value }
  column.count++
  column.types.add(Array.isArray(value) ? 'list' : isNumber ? 'number' : typeof value)
  columns.set(path, column)
}
