import type { JsonObject } from '@heddle/core-api'
import { judgeScorerClass, ruleScorerClasses, serverScorerClasses } from '@heddle/core-api/internal'
import { safeObjectName } from '../object-collection/safe-object-name.ts'
import type { LimitedRun } from '../../payload/limited-run.ts'
import { type ChatMessage, mapTexts, readMessages } from './model/chat-messages.ts'
import { fillFormat } from './model/fill-format.ts'
import { exactMatch } from './scorers/exact-match.ts'
import { fuzzyMatch } from './scorers/fuzzy-match.ts'
import { type FindMismatch, jsonValidity } from './scorers/json-validity.ts'
import { numericThreshold } from './scorers/numeric-threshold.ts'
import { regex } from './scorers/regex.ts'
import type { Judge } from './scorers/settings.ts'
import { similarity } from './scorers/similarity.ts'
import { readCompletionModel } from './model/completion-model.ts'
import type { StoredModel } from './model/predict.ts'
import { ScorerError } from './subject.ts'

/** A scorer of a project that this server can run. */
export interface RunnableScorer {
  /** Reference by which it was named. */
  ref: string
  /** Key of its scores: the name of the object, else its class, as a safe name. */
  name: string
  className: string
  run: { by: 'rule'; judge: Judge } | { by: 'model'; model: StoredModel; toMessages: (variables: JsonObject) => ChatMessage[] }
}

interface ScorerTools {
  findMismatch: FindMismatch
  limitedRun: LimitedRun
}

type MakeJudge = (value: JsonObject, tools: ScorerTools) => Judge

/** The scorers that need no model, by their classes. */
const rules: Readonly<Record<(typeof ruleScorerClasses)[number], MakeJudge>> = {
  ExactMatchScorer: exactMatch,
  FuzzyMatchScorer: fuzzyMatch,
  JSONValidityScorer: (value, { findMismatch }) => jsonValidity(value, findMismatch),
  RegexScorer: (value, { limitedRun }) => regex(value, limitedRun),
  SimilarityScorer: similarity,
  NumericThresholdScorer: numericThreshold,
}

/** A scorer as it is stored, with references inside it already replaced by the values of their objects. */
export interface StoredScorer {
  ref: string
  className: string
  value: JsonObject
  /** Reference to the model of a judge; null for a model inside the scorer. */
  modelRef: string | null
}

/** @throws ScorerError or ModelError for invalid settings, or a class that this server does not run */
export function toRunnableScorer({ ref, className, value, modelRef }: StoredScorer, tools: ScorerTools): RunnableScorer {
  const given = value['name']
  const name = safeObjectName(typeof given === 'string' && given !== '' ? given : className, className)
  const rule = ruleScorerClasses.find((known) => known === className)
  if (rule !== undefined) return { ref, name, className, run: { by: 'rule', judge: rules[rule](value, tools) } }
  if (className !== judgeScorerClass) {
    throw new ScorerError(`scorers of class ${className} do not run on the server; use one of ${serverScorerClasses.join(', ')}`)
  }
  const model = { ref: modelRef, model: readCompletionModel((value['model'] ?? {}) as JsonObject) }
  return { ref, name, className, run: { by: 'model', model, toMessages: readPrompt(value) } }
}

/** The messages of a judge: those of a stored prompt, or one of the user with a text. */
function readPrompt(value: JsonObject): (variables: JsonObject) => ChatMessage[] {
  const prompt = value['scoring_prompt'] ?? value['prompt_ref'] ?? value['scoring_prompt_ref']
  const messages = typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : readMessages(prompt)
  if (messages.length === 0) throw new ScorerError('the judge has no scoring_prompt: a text, or a reference to a prompt with messages')
  return (variables) => mapTexts(messages, (text) => fillFormat(text, variables))
}
