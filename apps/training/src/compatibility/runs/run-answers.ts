import { badRequest } from '@heddle/core-api/internal'
import { type Answer, type Asked, countOf, listOf, objectOf, projectIdOf, textOf } from '../asked-document.ts'
import { maxRows } from './run-history.ts'

/** Default number of sampled rows of a run. */
const usualSamples = 500

/** Answers about the run of a model. */
export const runAnswers: Readonly<Record<string, Answer>> = {
  Run: describeRun,
  RunHistoryKeys: describeRun,
  RunParquetHistory: describeRun,
  RunFullHistory: readHistory,
  HistoryPage: readHistory,
  RunSampledHistory: readSampledHistory,
  SampledHistoryPage: readSampledHistory,
}

async function describeRun(asked: Asked) {
  return { project: { run: await asked.runs.describe(await runOf(asked)) } }
}

async function readHistory(asked: Asked) {
  const { minStep, maxStep, pageSize, samples } = asked.variables
  const range = { first: countOf(minStep) ?? 0, end: countOf(maxStep) ?? Infinity, samples: countOf(pageSize ?? samples) ?? usualSamples }
  const rows = await asked.runs.rows(await runOf(asked), range)
  return { project: { run: { history: rows.map((row) => JSON.stringify(row)) } } }
}

/** Rows that have all keys of the specification, with those alone. */
async function readSampledHistory(asked: Asked) {
  const { specs, spec } = asked.variables
  const run = await runOf(asked)
  const wanted = listOf(specs ?? [spec], 'specs')
  const sampledHistory = []
  for (const text of wanted) {
    const { keys, minStep, maxStep, samples } = parseSpec(text)
    const last = countOf(maxStep)
    const rows = await asked.runs.rows(run, {
      first: countOf(minStep) ?? 0,
      end: last === undefined ? Infinity : last + 1,
      samples: Math.min(countOf(samples) ?? usualSamples, Math.ceil(maxRows / wanted.length)),
    })
    const names = listOf(keys, 'keys').map(textOf)
    sampledHistory.push(
      rows
        .filter((row) => names.every((name) => Object.hasOwn(row, name)))
        .map((row) => Object.fromEntries(names.map((name) => [name, row[name]]))),
    )
  }
  return { project: { run: { sampledHistory } } }
}

function parseSpec(text: unknown): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(textOf(text)))
  } catch {
    throw badRequest('specs must be texts of JSON')
  }
}

async function runOf(asked: Asked) {
  const { name, runName, run } = asked.variables
  return { project: await asked.open('read', projectIdOf(asked)), name: textOf(name ?? runName ?? run) }
}
