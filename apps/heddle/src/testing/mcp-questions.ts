// oxlint-disable typescript/no-explicit-any -- answers of tools are looked into
import { expect } from 'vitest'
import type { ToolResult } from './mcp-clients.ts'

/** What a question is about: a project with two evaluation runs, a week of traces, and a model. */
export interface SeededProject {
  project: string
  /** Ids of evaluation runs, the older first. */
  before: string
  after: string
  traceIds: readonly string[]
  modelId: string
}

export type Ask = (tool: string, args: Record<string, unknown>) => Promise<ToolResult>

/** A question with its known answer, and the calls in which a client finds it. */
export interface Question {
  question: string
  /** Calls that are enough. */
  calls: number
  /** Tokens of their answers, at most. */
  tokens: number
  /** The answer, found by calling tools. */
  find: (ask: Ask, seeded: SeededProject) => Promise<unknown>
  /** What it must be. */
  expected: (seeded: SeededProject) => unknown
}

const data = (result: ToolResult) => result.structuredContent?.data
const lastWeek = { since: '2026-11-10', until: '2026-11-17' }

/** 25 questions of people who look after an application. */
export const questions: readonly Question[] = [
  {
    question: 'Which evaluation ran last, and how good was it?',
    calls: 1,
    tokens: 300,
    find: async (ask) => data(await ask('evals_list', { limit: 1 })).evaluations.map((run: any) => [run.name, run.scores['exact.match']]),
    expected: () => [['after', 0.6667]],
  },
  {
    question: 'How many evaluation runs are named "before"?',
    calls: 1,
    tokens: 250,
    find: async (ask) => (await ask('evals_list', { name_contains: 'before' })).structuredContent?.page?.total,
    expected: () => 1,
  },
  {
    question: 'Is the new run worse than the old one, beyond chance?',
    calls: 1,
    tokens: 350,
    find: async (ask, { before, after }) =>
      data(await ask('eval_compare', { baseline: before, candidates: [after], scorer: 'exact', limit: 1 })).verdicts.map((one: any) => [
        one.score,
        one.verdict,
        one.delta,
      ]),
    expected: () => [['exact.match', 'worse', -0.3]],
  },
  {
    question: 'Which rows got worst, with the evidence?',
    calls: 1,
    tokens: 650,
    find: async (ask, { before, after }) =>
      data(await ask('eval_compare', { baseline: before, candidates: [after], scorer: 'exact', limit: 3 })).rows.map((row: any) => [
        row.inputs.topic,
        row.baseline,
        row.candidate,
        row.candidate_output.startsWith('wrong'),
      ]),
    expected: () => Array.from({ length: 3 }, () => ['refunds', 1, 0, true]),
  },
  {
    question: 'Which row got better?',
    calls: 1,
    tokens: 300,
    find: async (ask, { before, after }) =>
      data(await ask('eval_compare', { baseline: before, candidates: [after], scorer: 'exact', order: 'best' })).rows.map(
        (row: any) => row.inputs.question,
      ),
    expected: () => ['Question 7'],
  },
  {
    question: 'Did answers get longer?',
    calls: 1,
    tokens: 150,
    find: async (ask, { before, after }) =>
      data(await ask('eval_compare', { baseline: before, candidates: [after], scorer: 'length', limit: 1 })).verdicts[0].verdict,
    expected: () => 'better',
  },
  {
    question: 'Why do rows fail?',
    calls: 1,
    tokens: 500,
    find: async (ask, { after }) =>
      data(await ask('eval_failures_group', { evaluation_call_id: after })).groups.map((group: any) => [
        group.by,
        group.value,
        group.failing_rows,
      ]),
    expected: () => [
      ['score', 'exact.match', 10],
      ['input', 'topic=refunds', 10],
    ],
  },
  {
    question: 'What did the model say to question 9, and what did it say before?',
    calls: 2,
    tokens: 600,
    find: async (ask, { before, after }) => {
      const filters = [{ query: { $expr: { $eq: [{ $getField: 'inputs.question' }, { $literal: 'Question 9' }] } } }]
      const [row] = data(await ask('eval_results_query', { evaluation_call_ids: [after], filters })).rows
      const { evaluations } = data(await ask('eval_row_get', { evaluation_call_ids: [before, after], row_digest: row.row_digest }))
      return evaluations.map((one: any) => one.trials[0].output)
    },
    expected: () => ['answer 9', 'wrong 9'],
  },
  {
    question: 'Which inputs and scores does the run have?',
    calls: 1,
    tokens: 200,
    find: async (ask, { after }) =>
      data(await ask('eval_columns_describe', { evaluation_call_id: after })).columns.map((column: any) => column.path),
    expected: () => ['inputs.question', 'inputs.topic', 'outputs', 'scores.exact.match', 'scores.length'],
  },
  {
    question: 'How many rows does each run have, and what is their mean length?',
    calls: 1,
    tokens: 400,
    find: async (ask, { before, after }) =>
      data(await ask('eval_summary_get', { evaluation_call_ids: [before, after] })).evaluations.map((one: any) => [
        one.trials,
        one.scores.find((score: any) => score.score === 'length').mean,
      ]),
    expected: () => [
      [30, 1.45],
      [30, 2.45],
    ],
  },
  {
    question: 'How many rows fail about refunds?',
    calls: 1,
    tokens: 250,
    find: async (ask, { after }) => {
      const equal = (field: string, value: unknown) => ({ query: { $expr: { $eq: [{ $getField: field }, { $literal: value }] } } })
      const filters = [equal('scores.exact.match', false), equal('inputs.topic', 'refunds')]
      return (await ask('eval_results_query', { evaluation_call_ids: [after], filters, limit: 1 })).structuredContent?.page?.total
    },
    expected: () => 10,
  },
  {
    question: 'What did each model cost last week?',
    calls: 1,
    tokens: 250,
    find: async (ask) =>
      data(await ask('trace_stats', { ...lastWeek, group_by: 'model' })).groups.map((group: any) => [group.key, group.calls, group.cost]),
    expected: () => [
      ['large', 4, expect.closeTo(0.458, 9)],
      ['small.v1', 8, null],
    ],
  },
  {
    question: 'On which day were there errors?',
    calls: 1,
    tokens: 250,
    find: async (ask) =>
      data(await ask('trace_stats', { ...lastWeek, group_by: 'day' }))
        .groups.filter((group: any) => group.errors > 0)
        .map((group: any) => group.key),
    expected: () => ['2026-11-10'],
  },
  {
    question: 'What is the median latency of looking things up?',
    calls: 1,
    tokens: 300,
    find: async (ask) =>
      data(await ask('trace_stats', { ...lastWeek, group_by: 'op' })).groups.find((group: any) => group.key === 'look_up').p50_ms,
    expected: () => 5,
  },
  {
    question: 'Which share of calls failed?',
    calls: 1,
    tokens: 200,
    find: async (ask) =>
      data(await ask('trace_stats', { ...lastWeek, group_by: 'status' })).groups.find((group: any) => group.key === 'error').calls,
    expected: () => 2,
  },
  {
    question: 'Which trace failed, and why?',
    calls: 2,
    tokens: 450,
    find: async (ask) => {
      const [trace] = data(await ask('traces_search', { ...lastWeek, status: 'error' })).traces
      const { entries } = data(await ask('trace_get', { trace_id: trace.trace_id, view: 'errors' }))
      return [trace.trace_id, entries[0].error.split('\n').at(-1)]
    },
    expected: ({ traceIds }) => [traceIds[5], 'TimeoutError: no answer after 30 s'],
  },
  {
    question: 'Which trace was slowest?',
    calls: 1,
    tokens: 250,
    find: async (ask) =>
      data(await ask('traces_search', { ...lastWeek, sort: 'slowest', limit: 1 })).traces.map((trace: any) => [
        trace.trace_id,
        trace.latency_ms,
      ]),
    expected: ({ traceIds }) => [[traceIds[11], 210]],
  },
  {
    question: 'What was said in the conversation of question 4?',
    calls: 2,
    tokens: 450,
    find: async (ask) => {
      const [found] = data(await ask('traces_search', { ...lastWeek, text: 'Question 4', limit: 1 })).traces
      return data(await ask('trace_get', { trace_id: found.trace_id, view: 'messages' })).entries.map((message: any) => [
        message.role,
        message.content,
      ])
    },
    expected: () => [
      ['user', 'Question 4'],
      ['assistant', 'Answer 4'],
    ],
  },
  {
    question: 'How many traces does the first thread have?',
    calls: 1,
    tokens: 250,
    find: async (ask) => (await ask('traces_search', { thread_id: 'thread-1', limit: 1 })).structuredContent?.page?.total,
    expected: () => 2,
  },
  {
    question: 'Which models are trained here?',
    calls: 1,
    tokens: 150,
    find: async (ask) => data(await ask('models_list', {})).models.map((model: any) => [model.id, model.name]),
    expected: ({ modelId }) => [[modelId, 'agent']],
  },
  {
    question: 'What can be trained on from last week?',
    calls: 1,
    tokens: 200,
    find: async (ask) =>
      data(await ask('trajectories_preview', lastWeek)).groups.map((group: any) => [group.group_id, group.trajectories, group.trainable]),
    expected: () => [
      ['refund-task', 2, true],
      ['other-task', 1, false],
    ],
  },
  {
    question: 'What would a training job from last week train on?',
    calls: 1,
    tokens: 150,
    find: async (ask, { modelId }) => {
      const { job_id, groups, trajectories, rewards } = data(await ask('training_job_create', { ...lastWeek, model_id: modelId }))
      return [job_id, groups, trajectories, rewards.std_dev]
    },
    expected: () => [null, 1, 2, 0.5],
  },
  {
    question: 'Start it.',
    calls: 2,
    tokens: 350,
    find: async (ask, { modelId }) => {
      const create = await ask('training_job_create', { ...lastWeek, model_id: modelId, dry_run: false, idempotency_key: 'week-46' })
      return data(await ask('training_jobs_list', { model_id: modelId })).jobs.map((job: any) => [job.id === data(create).job_id, job.kind])
    },
    expected: () => [[true, 'rl']],
  },
  {
    question: 'Why has it stopped learning?',
    calls: 2,
    tokens: 450,
    find: async (ask, { modelId }) => {
      const [job] = data(await ask('training_jobs_list', { model_id: modelId, limit: 1 })).jobs
      return data(await ask('training_job_get', { job_id: job.id })).findings.map((one: any) => one.finding)
    },
    expected: () => expect.arrayContaining(['no learning signal']),
  },
  {
    question: 'Delete the model; the person agrees.',
    calls: 1,
    tokens: 100,
    find: async (ask, { modelId }) => data(await ask('model_delete', { model_id: modelId })).deleted,
    expected: () => true,
  },
]
