import { createClock } from '../../terminal/clock.ts'
import { type EvaluationRun, pickMeasures, reportMeasures } from '@heddle/evaluations'
import { writeFile } from 'node:fs/promises'
import { compareRuns } from '../../eval/compare/comparison.ts'
import { formatVerdicts } from '../../eval/gate/format-verdicts.ts'
import { judgeRule, type Outcome, outcomeOf } from '../../eval/gate/judge-rule.ts'
import { toJunit } from '../../eval/gate/junit.ts'
import { parseAbsoluteRule, parseChangeRule, type Rule } from '../../eval/gate/parse-rule.ts'
import { readRuns } from '../../eval/read/read-runs.ts'
import { runLine } from '../../eval/present/run-text.ts'
import { withSteps } from '../../terminal/progress.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { type EvalDeps, type EvalOptions, openResults, parseStatistics, type StatisticsOptions } from './eval-options.ts'
import { measureRuns } from '../../eval/measures/measure-runs.ts'

export interface GateOptions extends EvalOptions, StatisticsOptions {
  candidate: string
  baseline?: string
  min?: string[]
  max?: string[]
  maxDrop?: string[]
  maxRise?: string[]
  minCoverage: string
  junit?: string
}

/** Evaluates rules on a candidate, alone or against a baseline, and prints the verdict of each. */
export async function gateEvaluation(options: GateOptions, deps: EvalDeps): Promise<Outcome> {
  const statistics = parseStatistics(options)
  const minCoverage = parseShare(options.minCoverage)
  const rules = parseRules(options)
  const ids = options.baseline === undefined ? [options.candidate] : [options.baseline, options.candidate]
  const source = await openResults(options, deps)
  const runs = await readRuns(source, ids)
  for (const run of runs) assertCompleted(run)
  const verdicts = await withSteps(deps.terminal, async (onStep) => {
    const results = await measureRuns(source, { runs: ids, scorers: [], onStep })
    const names = rules.map((rule) => rule.measure)
    const judged = results.runs.map((run) => pickMeasures(run, names))
    const candidate = judged.slice(-1).flatMap((run) => reportMeasures(run, statistics))
    const comparisons = compareRuns(judged, statistics, (name) => onStep(`Computing intervals: ${name}`))
    const known = [...(results.runs.at(-1)?.measures.keys() ?? [])]
    return rules.map((rule) => judgeRule(rule, { candidate, comparisons, known, minCoverage }))
  })
  const outcome = outcomeOf(verdicts)
  if (options.junit !== undefined) await writeReport(options.junit, toJunit(`evaluation ${options.candidate}`, verdicts))
  const [baseline, candidate] = options.baseline === undefined ? [null, runs[0]] : runs
  const answer = { outcome, baseline, candidate, ...statistics, min_coverage: minCoverage, rules: verdicts }
  const clock = createClock(deps.configuration.timeZone)
  const lines = [...runs.map((run) => runLine(run, clock)), '', formatVerdicts(verdicts, statistics.confidence)]
  if (options.json) deps.terminal.json(JSON.stringify(answer, null, 2))
  else deps.terminal.out(lines.join('\n'))
  return outcome
}

function parseRules({ min = [], max = [], maxDrop = [], maxRise = [], baseline, candidate }: GateOptions): Rule[] {
  const changes = [
    ...maxDrop.map((text) => parseChangeRule('--max-drop', text)),
    ...maxRise.map((text) => parseChangeRule('--max-rise', text)),
  ]
  const rules = [...min.map((text) => parseAbsoluteRule('--min', text)), ...max.map((text) => parseAbsoluteRule('--max', text)), ...changes]
  if (rules.length === 0) throw new UsageError('a gate needs a rule: --min, --max, --max-drop or --max-rise')
  if (changes.length > 0 && baseline === undefined) throw new UsageError('--max-drop and --max-rise need --baseline')
  if (baseline === candidate)
    throw new UsageError(`--baseline and --candidate must be different evaluation runs, got ${JSON.stringify(candidate)} twice`)
  return rules
}

/** The missing rows of an unfinished run may be the bad ones. */
function assertCompleted({ id, status, exception }: EvaluationRun): void {
  if (status === 'completed') return
  const state = status === 'running' ? 'is still running' : `failed: ${exception ?? ''}`
  throw new UsageError(`evaluation run ${JSON.stringify(id)} ${state}; a gate needs completed runs`)
}

async function writeReport(path: string, report: string): Promise<void> {
  await writeFile(path, report).catch((error: unknown) => {
    throw new UsageError(`cannot write --junit ${JSON.stringify(path)}: ${error instanceof Error ? error.message : 'unknown error'}`)
  })
}

function parseShare(text: string): number {
  const share = /^(?:0|1|0?\.\d+|1\.0+|0\.0*)$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(share)) throw new UsageError(`--min-coverage must be a number from 0 to 1, got ${JSON.stringify(text)}`)
  return share
}
