import type { Clock } from '../terminal/clock.ts'
import { formatComparison } from '../eval/compare/format-comparison.ts'
import { drawBar, drawCurve } from '../training/draw-progress.ts'
import { baseModel } from './demo-context.ts'
import type { EvaluatedTask } from './evaluate-checkpoint.ts'
import { pagesOfDemo } from './pages-of-demo.ts'
import { attemptsOfTask, type PractisedRound } from './practise-round.ts'
import type { DemoEvent, DemoResult } from './run-demo.ts'

const barWidth = 30
const curveWidth = 40

/** How other commands are called here, and where the pages of records are. */
export interface DemoPlaces {
  baseUrl: string
  project: string
  /** Name of the command. */
  command: string
  /** Flags with which it finds the server, with a space in front; may be empty. */
  flags: string
}

/** A line that stays, or one that is drawn over. */
export function drawEvent(event: DemoEvent, rounds: number): { line: string } | { status: string } {
  switch (event.type) {
    case 'started':
      return { line: introduction(event.model, event.options) }
    case 'evaluating':
      return {
        status: `${drawBar(event.done / event.all, barWidth)}  evaluating step ${event.step}: ${event.done} of ${event.all} questions`,
      }
    case 'evaluated': {
      const { step, predictions } = event.evaluation
      const correct = predictions.filter((one) => one.correct).length
      return { line: `Step ${step} answers ${correct} of ${predictions.length} questions that it does not practise on` }
    }
    case 'practising':
      return { status: `round ${event.round} of ${rounds}: the agent tries, and is trained` }
    case 'practised':
      return { line: roundLine(event.round) }
  }
}

function introduction(model: string, { project, tasks, rounds, seed }: Extract<DemoEvent, { type: 'started' }>['options']): string {
  return [
    `An agent on ${baseModel} answers questions about the weather with a tool. It is trained as ${project}/${model}`,
    `in ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${tasks} questions with ${attemptsOfTask} attempts each, from seed ${seed}.`,
  ].join('\n')
}

function roundLine({ round, reward }: PractisedRound): string {
  return `  round ${String(round).padStart(3)}  ${drawBar(reward, barWidth)}  reward ${reward.toFixed(2)}`
}

/** What came of it, and where to look at it. */
export function drawResult(result: DemoResult, places: DemoPlaces, clock: Clock): string {
  const curve = drawCurve(
    result.rounds.map(({ reward }) => reward),
    curveWidth,
  )
  return [`Reward by round  ${curve}`, formatComparison(result.comparison, result.differences, clock), drawLinks(result, places)].join(
    '\n\n',
  )
}

function drawLinks(
  { before, after, rounds, model, queueId, dashboardId }: DemoResult,
  { baseUrl, project, command, flags }: DemoPlaces,
): string {
  const pages = pagesOfDemo(baseUrl, project)
  const run = (words: string) => `${command} ${words}${flags}`
  const inProject = ` --project ${project}`
  const place = mostImproved(before.predictions, after.predictions)
  const [first, last] = [before, after].map(({ predictions }) => predictions[place]?.trace)
  const job = rounds.at(-1)?.jobId ?? ''
  return [
    'Look at it',
    `  Evaluation before    ${pages.run(before.runId)}`,
    `  Evaluation after     ${pages.run(after.runId)}`,
    `  Both side by side    ${pages.comparison([before.runId, after.runId])}`,
    ...(first && last ? [`  An attempt before    ${pages.call(first.span_id)}`, `  The same one after   ${pages.call(last.span_id)}`] : []),
    `  The last training    ${pages.job(job)}`,
    `  The trained model    ${pages.model(model.id)}`,
    `  Answers to review    ${pages.queue(queueId)}`,
    `  Charts over time     ${pages.dashboard(dashboardId)}`,
    '',
    `  ${run(`eval compare ${before.runId} ${after.runId}${inProject}`)}`,
    ...(last ? [`  ${run(`traces show ${last.trace_id}${inProject}`)}`] : []),
    `  ${run(`models show ${model.name}${inProject}`)}`,
    `  ${run(`jobs watch ${job}`)}`,
    `  ${run('sign-in-link')}   (for the pages above)`,
    '',
    'Also there: the dataset and its scorer, feedback, costs, and a thread for each question of a round. Chat with the trained model on its page, which offers it the tool.',
  ].join('\n')
}

/** Place of the task whose reward rose most. */
function mostImproved(before: readonly EvaluatedTask[], after: readonly EvaluatedTask[]): number {
  const rises = before.map(({ reward }, index) => (after[index]?.reward ?? 0) - reward)
  return rises.indexOf(Math.max(...rises))
}
