import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../../app/use-project.ts'
import { Failure } from '../../../components/failure.tsx'
import type { FeedbackValue } from './chart.ts'
import { feedbackPathsQuery, feedbackTypesQuery } from './feedback-values-query.ts'

interface Properties {
  /** The type that is typed; `''` for none yet. */
  type: string
  value: FeedbackValue | null
  onType: (type: string) => void
  onValue: (value: FeedbackValue | null) => void
}

/** Chooses a value that feedback of a type has in its payload. */
export function ChooseFeedbackValue({ type, value, onType, onValue }: Properties) {
  const { id } = useProject()
  const types = useQuery(feedbackTypesQuery(id))
  const paths = useQuery(feedbackPathsQuery(id, type))
  const kept = value?.type === type ? value : null
  const known = (paths.data ?? []).map((path) => ({ type, ...path }))
  const offered = kept === null || known.some(({ path }) => path === kept.path) ? known : [kept, ...known]
  return (
    <>
      <label htmlFor="chart-feedback-type">Type of feedback</label>
      <input id="chart-feedback-type" list="chart-feedback-types" value={type} onChange={({ target }) => onType(target.value)} />
      <datalist id="chart-feedback-types">
        {types.data?.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <label htmlFor="chart-feedback-path">Value</label>
      <select
        id="chart-feedback-path"
        aria-busy={paths.isLoading}
        value={kept?.path ?? ''}
        onChange={({ target }) => onValue(offered.find(({ path }) => path === target.value) ?? null)}
      >
        <option value="">choose one</option>
        {offered.map(({ path, isRate }) => (
          <option key={path} value={path}>
            {`${path} (${isRate ? 'how often it is true' : 'mean'})`}
          </option>
        ))}
      </select>
      <Failure error={types.error ?? paths.error} before="What feedback holds was not read." />
      {paths.data && offered.length === 0 && (
        <p className="muted">Feedback of this type holds no number, and nothing that is true or false, in the last 30 days.</p>
      )}
    </>
  )
}
