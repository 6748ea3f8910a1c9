import type { EvalTrial } from '@heddle/core-api'
import { scoreValues } from '@heddle/evaluations'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useProject } from '../../../app/use-project.ts'
import { LongText } from '../../../components/long-text.tsx'
import { FormattedText } from '../../../components/markdown/formatted-text.tsx'
import { toText } from '../../../components/to-text.ts'
import { jsonStructure } from '../../library/json-diff/json-structure.ts'
import { ShowJsonDiff } from '../../library/json-diff/show-json-diff.tsx'
import { ShowDiff } from '../../library/show-diff.tsx'
import { numberText } from '../charts/number-text.ts'
import { comparableText } from './comparable-text.ts'
import { ScoreByHand } from './score-by-hand.tsx'
import { scoreReasons } from './score-reasons.ts'

interface Properties {
  trial: EvalTrial
  /** Id of its run. */
  run: string
  /** From 0. */
  place: number
  /** The output whose differences are shown; null: the output is shown whole. */
  comparedWith: unknown
  /** Also what is JSON is compared as lines of text. */
  isByLines: boolean
}

/** One prediction of a row: its output, what each scorer said and why, and a way to score it by hand. */
export function TrialDetail({ trial, run, place, comparedWith, isByLines }: Properties) {
  const { entity, project } = useProject()
  const { model_output, scores, model_latency_seconds, total_tokens, predict_and_score_call_id } = trial
  const trace = { entity, project, call: predict_and_score_call_id }
  return (
    <div className="trial">
      <p>
        Trial {place + 1} ·{' '}
        <Link to="/$entity/$project/calls/$call" params={trace}>
          its trace
        </Link>
        {model_latency_seconds !== null && ` · ${numberText(model_latency_seconds, false)} s`}
        {total_tokens !== null && ` · ${total_tokens.toLocaleString('en')} tokens`}
      </p>
      {model_output === null ? (
        <p className="problem">The model has no output: it failed or is still running. See its trace.</p>
      ) : comparedWith === null ? (
        <FormattedText text={toText(model_output)} label={`Output of trial ${place + 1}`} isProse={typeof model_output === 'string'} />
      ) : (
        <OutputDifferences before={comparedWith} after={model_output} isByLines={isByLines} />
      )}
      <ul>
        {scoreValues(scores).map(({ name, value }) => (
          <li key={name}>
            {name}: {typeof value === 'boolean' ? (value ? '✓ true' : '✗ false') : numberText(value, false)}
          </li>
        ))}
      </ul>
      {scoreReasons(scores).map(({ name, text }) => (
        <div key={name}>
          <p>{name}</p>
          <LongText text={text} label={`${name} of trial ${place + 1}`} />
        </div>
      ))}
      {Object.keys(scores).length > 0 && (
        <details>
          <summary>All scores</summary>
          <LongText text={toText(scores)} label={`Scores of trial ${place + 1}`} />
        </details>
      )}
      <ScoreByHand trial={trial} run={run} />
    </div>
  )
}

/** Of two values of JSON the parts that differ, of all else the lines. */
function OutputDifferences({ before, after, isByLines }: { before: unknown; after: unknown; isByLines: boolean }) {
  const [old, now] = useMemo(() => (isByLines ? [] : [jsonStructure(before), jsonStructure(after)]), [before, after, isByLines])
  if (old && now) return <ShowJsonDiff before={old} after={now} />
  return <ShowDiff before={comparableText(before)} after={comparableText(after)} />
}
