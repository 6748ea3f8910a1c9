import { training } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { ToolError } from '../../answer/tool-error.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { gradientSteps, metricsOf, readEvents } from './job-events.ts'

const Input = z.object({
  ...training.trainingJobs.read.params.shape,
  metrics: z.array(z.string()).max(50).optional().describe('Names. Absent: all'),
  points: z.int().min(2).max(200).default(50),
})

const Output = z.object({
  steps: z.number(),
  series: z.record(z.string(), z.object({ min: z.number(), max: z.number(), last: z.number(), points: z.array(z.array(z.number())) })),
})

/** Metrics of a job over its gradient steps. */
export const trainingMetricsGet = defineTool({
  name: 'training_metrics_get',
  title: 'Read metrics of a training job',
  description:
    'Series of metrics as [step, value], thinned evenly. Example: {"job_id": "<id>", "metrics": ["policy_loss", "entropy"], "points": 20}',
  toolset: 'training',
  operation: training.trainingEvents.list,
  input: Input,
  output: Output,
  run: readMetrics,
})

async function readMetrics({ job_id, metrics, points }: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const steps = gradientSteps(await readEvents(job_id, context)).map(metricsOf)
  const known = [...new Set(steps.flatMap((step) => Object.keys(step)))]
  const names = metrics ?? known
  const unknown = names.filter((name) => !known.includes(name))
  if (names.length > 0 && unknown.length === names.length) {
    throw new ToolError(
      'not_found',
      `job ${job_id} has no metric ${unknown
        .slice(0, 5)
        .map((name) => JSON.stringify(name.slice(0, 60)))
        .join(', ')}`,
      known.length > 0 ? `It has ${known.slice(0, 30).join(', ')}.` : 'It has made no gradient step yet.',
    )
  }
  const series = Object.fromEntries(
    names
      .filter((name) => known.includes(name))
      .map((name) => {
        const all = steps.flatMap((step, at): [number, number][] => (step[name] === undefined ? [] : [[at + 1, step[name]]]))
        const values = all.map(([, value]) => value)
        return [name, { min: Math.min(...values), max: Math.max(...values), last: values.at(-1) ?? 0, points: thinned(all, points) }]
      }),
  )
  return {
    headline: `${Object.keys(series).length} metrics over ${steps.length} gradient steps.`,
    data: { steps: steps.length, series: context.recorded(series) },
    warnings: unknown.map((name) => `the job has no metric ${JSON.stringify(name.slice(0, 60))}`),
  }
}

/** At most `count` of the points, evenly, with the first and the last. */
export function thinned<T>(all: readonly T[], count: number): T[] {
  if (all.length <= count) return [...all]
  return Array.from({ length: count }, (_, at) => all[Math.round((at * (all.length - 1)) / (count - 1))] as T)
}
