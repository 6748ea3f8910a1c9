import { type JsonObject, parseRef } from '@heddle/core-api'
import { isJsonObject, serverScorerClasses } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { readCompletionModel } from '../../../domain/scoring/model/completion-model.ts'
import type { LoadObject } from '../../../domain/scoring/load-object.ts'
import type { LoadScorer } from '../../../domain/scoring/load-scorer.ts'
import type { StoredModel } from '../../../domain/scoring/model/predict.ts'
import type { RunnableScorer } from '../../../domain/scoring/runnable-scorer.ts'
import { asNumber } from '../../../domain/scoring/subject.ts'

/** Predictions of one run: rows times trials. */
const maxPredictions = 100_000

/** An evaluation that this server can run. */
export interface RunnableEvaluation {
  ref: string
  /** Display name of the calls of its runs; null for none. */
  displayName: string | null
  model: StoredModel
  modelRef: string
  scorers: readonly RunnableScorer[]
  /** Digest of the table with the rows. */
  table: string
  /** Reference to a row by its digest. */
  rowRef: (rowDigest: string) => string
  trials: number
}

/** An evaluation that cannot be run, and why. */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError'
}

interface LoadDeps {
  loadObject: LoadObject
  loadScorer: LoadScorer
}

/** @throws EvaluationError, or the errors of the scorers and the model, for anything that this server does not run */
export async function loadEvaluation(
  project: ProjectScope,
  { evaluationRef, modelRef }: { evaluationRef: string; modelRef: string },
  { loadObject, loadScorer }: LoadDeps,
): Promise<RunnableEvaluation> {
  const evaluation = await loadObject(project, evaluationRef)
  if (!evaluation.classes.includes('Evaluation')) throw new EvaluationError(`evaluation_ref is not an Evaluation: ${evaluationRef}`)
  const { value } = evaluation
  const scorers: RunnableScorer[] = []
  for (const ref of readRefs(value)) scorers.push(await loadScorer(project, ref))
  const model = await loadObject(project, modelRef, ['llm_model_id', 'llm_model_id.provider', 'default_params.prompt'])
  if (!model.classes.includes('LLMStructuredCompletionModel')) {
    throw new EvaluationError(`model_ref is not an LLMStructuredCompletionModel: ${modelRef}`)
  }
  const datasetRef = value['dataset']
  if (typeof datasetRef !== 'string') throw new EvaluationError('the dataset of the evaluation is not a reference')
  const dataset = await loadObject(project, datasetRef)
  return {
    ref: evaluationRef,
    displayName: typeof value['evaluation_name'] === 'string' ? value['evaluation_name'] : null,
    model: { ref: modelRef, model: readCompletionModel(model.value) },
    modelRef,
    scorers,
    table: tableOf(dataset.value, datasetRef),
    rowRef: (digest) => `${datasetRef}/attr/rows/id/${digest}`,
    trials: trialsOf(value),
  }
}

/** @throws EvaluationError where the rows and trials are more than one run may have */
export function checkPredictions(rows: number, trials: number): void {
  if (rows * trials <= maxPredictions) return
  throw new EvaluationError(
    `${rows} rows with ${trials} trials are more than the ${maxPredictions} predictions of one run; evaluate a part of the dataset`,
  )
}

function readRefs({ scorers }: JsonObject): string[] {
  if (scorers === undefined || scorers === null) return []
  if (!Array.isArray(scorers)) throw new EvaluationError('scorers of the evaluation is not a list')
  return scorers.map((scorer: unknown) => {
    const ref = typeof scorer === 'string' ? parseRef(scorer) : undefined
    if (ref?.kind === 'object') return scorer as string
    const shown = JSON.stringify(scorer)?.slice(0, 200)
    throw new EvaluationError(`scorers must be references to objects of the classes ${serverScorerClasses.join(', ')}, got ${shown}`)
  })
}

function tableOf(dataset: JsonObject, ref: string): string {
  const rows = typeof dataset['rows'] === 'string' ? parseRef(dataset['rows']) : undefined
  if (rows?.kind !== 'table') throw new EvaluationError(`the dataset ${ref} has no table of rows`)
  return rows.digest
}

function trialsOf({ trials }: JsonObject): number {
  const count = asNumber(trials ?? 1)
  if (count !== undefined && Number.isInteger(count) && count >= 1) return count
  throw new EvaluationError(
    `trials of the evaluation must be an integer of at least 1, got ${JSON.stringify(isJsonObject(trials) ? {} : trials)}`,
  )
}
