import { getRouteApi } from '@tanstack/react-router'
import type { TimeRange } from '../../app/time-range.ts'
import { ChooseRange } from '../../components/choose-range.tsx'
import type { StoredDashboard } from './stored-dashboard.ts'
import type { DashboardDraft } from './use-draft.ts'

const route = getRouteApi('/$entity/$project/dashboards/$dashboard')

interface Properties {
  /** Null where the dashboard was deleted. */
  latest: StoredDashboard | null
  draft: DashboardDraft
  range: TimeRange
  /** Whether there is room for one more chart. */
  canAdd: boolean
  onAdd: () => void
}

/** Chooses the time of all charts, and begins and ends changes to the dashboard. */
export function DashboardBar({ latest, draft, range, canAdd, onAdd }: Properties) {
  const navigate = route.useNavigate()
  const { isChanged, isBehind, saving } = draft
  const isEdited = draft.draft !== undefined
  function leave() {
    if (!isChanged || window.confirm('Discard your changes to the dashboard?')) draft.discard()
  }
  return (
    <div className="row">
      <ChooseRange
        range={range}
        onChange={(next) => void navigate({ search: (before) => ({ ...before, range: next }), ignoreBlocker: true })}
      />
      {latest !== null && !isEdited && !latest.isOtherForm && (
        <button type="button" onClick={() => draft.begin(latest)}>
          Edit
        </button>
      )}
      {isEdited && (
        <>
          <button type="button" disabled={!canAdd} onClick={onAdd}>
            Add a chart
          </button>
          <button type="button" className="primary" disabled={!isChanged || isBehind || saving.isPending} onClick={() => draft.save(false)}>
            Save
          </button>
          <button type="button" disabled={saving.isPending} onClick={leave}>
            {isChanged ? 'Discard changes' : 'Stop editing'}
          </button>
        </>
      )}
    </div>
  )
}
