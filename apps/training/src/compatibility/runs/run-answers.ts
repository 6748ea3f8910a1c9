import { badRequest } from '@heddle/core-api/internal'
import { type Answer, type DocumentRequest, countOf, listOf, objectOf, projectIdOf, textOf } from '../document-request.ts'
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

async function describeRun(request: DocumentRequest) {
  return { project: { run: await request.runs.describe(await runOf(request)) } }
}

async function readHistory(request: DocumentRequest) {
  const { minStep, maxStep, pageSize, samples } = request.variables
  const range = { first: countOf(minStep) ?? 0, end: countOf(maxStep) ?? Infinity, samples: countOf(pageSize ?? samples) ?? usualSamples }
  const rows = await request.runs.rows(await runOf(request), range)
  return { project: { run: { history: rows.map((row) => JSON.stringify(row)) } } }
}

/** Rows that have all keys of the specification, with those alone. */
async function readSampledHistory(request: DocumentRequest) {
  const { specs, spec } = request.variables
  const run = await runOf(request)
  const wanted = listOf(specs ?? [spec], 'specs')
  const sampledHistory = []
  for (const text of wanted) {
    const { keys, minStep, maxStep, samples } = parseSpec(text)
    const last = countOf(maxStep)
    const rows = await request.runs.rows(run, {
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

async function runOf(request: DocumentRequest) {
  const { name, runName, run } = request.variables
  return { project: await request.open('read', projectIdOf(request)), name: textOf(name ?? runName ?? run) }
}
