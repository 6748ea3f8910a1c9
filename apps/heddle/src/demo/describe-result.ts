import type { DemoOptions } from './demo-context.ts'
import type { CheckpointEvaluation } from './evaluate-checkpoint.ts'
import { pagesOfDemo } from './pages-of-demo.ts'
import type { DemoResult } from './run-demo.ts'

/** The result for programs, as `--json` prints it. */
export function describeResult(result: DemoResult, { project, seed }: DemoOptions, baseUrl: string) {
  const pages = pagesOfDemo(baseUrl, project)
  const evaluation = ({ runId, step, predictions }: CheckpointEvaluation) => ({
    evaluation_run_id: runId,
    url: pages.run(runId),
    step,
    questions: predictions.map(({ task, answer, asked, correct, reward, predictionId, trace }) => ({
      question: task.question,
      answer,
      asked_the_tool: asked,
      correct,
      reward,
      prediction_id: predictionId,
      trace_id: trace?.trace_id ?? null,
      trace_url: trace && pages.call(trace.span_id),
    })),
  })
  return {
    project,
    seed,
    model: result.model,
    rounds: result.rounds.map(({ round, reward, attempts, jobId, step }) => ({ round, reward, attempts, job_id: jobId, step })),
    before: evaluation(result.before),
    after: evaluation(result.after),
    comparison: result.comparison,
    comparison_url: pages.comparison([result.before.runId, result.after.runId]),
    annotation_queue_id: result.queueId,
    dashboard_id: result.dashboardId,
  }
}
