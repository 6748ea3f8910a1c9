import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../../lib/use-project.ts'
import { Failure } from '../../../ui/states/failure.tsx'
import type { FeedbackValue } from '../../../features/dashboard-charts/chart.ts'
import { feedbackPathsQuery, feedbackTypesQuery } from './feedback-values-query.ts'
import { Select } from '../../../ui/select.tsx'
import { Field, Input } from '../../../ui/field.tsx'

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
      <Field label="Type of feedback">
        {(ids) => (
          <>
            <Input {...ids} list="chart-feedback-types" value={type} onChange={({ target }) => onType(target.value)} />
            <datalist id="chart-feedback-types">
              {types.data?.map((one) => (
                <option key={one} value={one} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <div aria-busy={paths.isLoading}>
        <Select
          label="Value"
          size="md"
          className="w-full"
          value={kept?.path ?? ''}
          choices={offered.map(({ path, isRate }) => ({ value: path, label: path, note: isRate ? 'share true' : 'mean' }))}
          onChange={(path) => onValue(offered.find((one) => one.path === path) ?? null)}
        />
        {paths.data && offered.length === 0 && (
          <p className="mt-1 text-xs text-fg-3">No numbers or yes/no values of this type in the last 30 days</p>
        )}
      </div>
      <Failure error={types.error ?? paths.error} before="Feedback values were not loaded." />
    </>
  )
}
