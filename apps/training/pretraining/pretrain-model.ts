import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { evaluateModel, type TaskAccuracy } from './evaluate-model.ts'
import { createLocalTraining, loadCompletingModel, type LocalTraining } from './local-training.ts'
import { modelFiles, modelShapes } from './model-files/model-files.ts'
import type { PretrainingPlan } from './plans.ts'
import { spreadUnseen, unseenBytes } from './spread-unseen.ts'
import { type StepReport, trainSteps } from './train-steps.ts'

/** Mean of the steps since the line before. */
export interface LogLine extends Omit<StepReport, 'tokens'> {
  /** Since the beginning of this process. */
  seconds: number
  tokensPerSecond: number
}

export interface PretrainingReport {
  plan: PretrainingPlan
  parameters: number
  lines: readonly LogLine[]
  accuracies: readonly TaskAccuracy[]
}

interface PretrainOptions {
  plan: PretrainingPlan
  /** Where the run keeps its state, log and results; a run that was interrupted continues from there. */
  folder: string
  exercisesPerTask: number
  stateEveryMs: number
  say: (line: string) => void
}

const stepsPerLine = 100
const stepsPerEvaluation = 1_000
const quickExercises = 40

/** Runs a plan to its end, from the state in the folder when there is one, and leaves `weights/model.safetensors` there. */
export async function pretrainModel({ plan, folder, exercisesPerTask, stateEveryMs, say }: PretrainOptions): Promise<PretrainingReport> {
  mkdirSync(folder, { recursive: true })
  const shape = modelShapes[plan.model]
  if (!shape) throw new Error(`${plan.model} has no shape`)
  const state = join(folder, 'state')
  const resumed = existsSync(join(state, 'state.json'))
  const config: unknown = JSON.parse(modelFiles(shape)['config.json'] ?? '')
  const model = createLocalTraining({ config, seed: BigInt(plan.seed), resumeFrom: resumed ? state : null })
  const from = resumed ? (JSON.parse(readFileSync(join(state, 'state.json'), 'utf8')) as { steps: number }).steps : 0
  say(resumed ? `continues after step ${from}` : 'begins')
  await runSteps(model, { plan, folder, from, stateEveryMs, say })
  return await finishRun(model, { plan, folder, exercisesPerTask, say })
}

interface Run {
  plan: PretrainingPlan
  folder: string
  from: number
  stateEveryMs: number
  say: (line: string) => void
}

async function runSteps(model: LocalTraining, { plan, folder, from, stateEveryMs, say }: Run): Promise<void> {
  const started = performance.now()
  let [savedAt, lineAt] = [started, started]
  let pending: StepReport[] = []
  for (const report of trainSteps(model, { plan, from, to: plan.schedule.steps })) {
    pending.push(report)
    const made = report.step + 1
    if (made % stepsPerLine === 0) {
      const line = summarise(pending, { seconds: (performance.now() - started) / 1_000, since: lineAt })
      appendFileSync(join(folder, 'log.jsonl'), `${JSON.stringify(line)}\n`)
      say(describeLine(line))
      pending = []
    }
    if (made % stepsPerEvaluation === 0) say(describeAccuracies(evaluateModel(model, quickExercises)))
    if (performance.now() - savedAt > stateEveryMs) {
      await model.saveState(join(folder, 'state'))
      savedAt = performance.now()
    }
    if (pending.length === 0) lineAt = performance.now()
  }
  await model.saveState(join(folder, 'state'))
}

function summarise(reports: readonly StepReport[], { seconds, since }: { seconds: number; since: number }): LogLine {
  const mean = (value: (report: StepReport) => number) => reports.reduce((sum, report) => sum + value(report), 0) / reports.length
  const last = reports.at(-1)
  const tokens = mean((report) => report.tokens) * reports.length
  return {
    step: (last?.step ?? 0) + 1,
    loss: round(mean(({ loss }) => loss)),
    entropy: round(mean(({ entropy }) => entropy)),
    gradientNorm: round(mean(({ gradientNorm }) => gradientNorm)),
    learningRate: last?.learningRate ?? 0,
    seconds: Math.round(seconds),
    tokensPerSecond: Math.round((tokens / (performance.now() - since)) * 1_000),
  }
}

const round = (value: number) => Number(value.toFixed(4))

async function finishRun(
  model: LocalTraining,
  { plan, folder, exercisesPerTask, say }: Omit<PretrainOptions, 'stateEveryMs'>,
): Promise<PretrainingReport> {
  const weights = join(folder, 'weights')
  rmSync(weights, { recursive: true, force: true })
  mkdirSync(weights)
  await model.saveWeights(weights)
  spreadUnseen(weights, { unseen: unseenBytes(plan), seed: plan.seed })
  const accuracies = evaluateModel(loadCompletingModel(weights), exercisesPerTask)
  say(describeAccuracies(accuracies))
  return { plan, parameters: model.parameters, lines: readLines(join(folder, 'log.jsonl')), accuracies }
}

/** Empty for a run that was too short for any line. A run resumed from an earlier state repeated some steps: the later line counts. */
function readLines(path: string): LogLine[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  return [...new Map(lines.map((text) => JSON.parse(text) as LogLine).map((line) => [line.step, line])).values()]
}

function describeLine({ step, loss, entropy, gradientNorm, learningRate, seconds, tokensPerSecond }: LogLine): string {
  const rate = learningRate.toExponential(1)
  return `step ${step}  loss ${loss}  entropy ${entropy}  gradient ${gradientNorm}  rate ${rate}  ${seconds} s  ${tokensPerSecond} tokens/s`
}

/** A readable table: task, greedy and sampled accuracy in percent. */
export function describeAccuracies(accuracies: readonly TaskAccuracy[]): string {
  const percent = (share: number) => `${Math.round(share * 100)}`.padStart(4)
  const rows = accuracies.map(({ task, greedy, sampled }) => `${task.padEnd(20)}${percent(greedy)}${percent(sampled)}`)
  const mean = (key: 'greedy' | 'sampled') => accuracies.reduce((sum, each) => sum + each[key], 0) / accuracies.length
  return [
    `${'task'.padEnd(20)}greedy sampled (%)`,
    ...rows,
    `${'mean'.padEnd(20)}${percent(mean('greedy'))}${percent(mean('sampled'))}`,
  ].join('\n')
}
