import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { isSame } from './chart/chart.ts'
import { saveDashboard } from './dashboard-queries.ts'
import type { Dashboard, StoredDashboard } from './stored-dashboard.ts'

interface Draft {
  /** The version that is changed. */
  base: StoredDashboard
  dashboard: Dashboard
}

const contentOf = ({ name, charts, unread }: Dashboard): Dashboard => ({ name, charts, unread })

/** The changes to a dashboard that are not saved yet. Leaving the page with some asks first. `latest` is null where it was deleted. */
export function useDraft(project_id: string, latest: StoredDashboard | null) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState<Draft>()
  const save = useMutation({
    mutationFn: ({ base, dashboard, mayFollow }: Draft & { mayFollow: boolean }) =>
      saveDashboard(queries, { project_id, base, dashboard, mayFollow }),
    onSuccess: ({ status }) => {
      if (status === 'saved') setDraft(undefined)
    },
  })
  const isChanged = draft !== undefined && !isSame(contentOf(draft.base), draft.dashboard)
  useBlocker({
    shouldBlockFn: () => !window.confirm('Changes to the dashboard are not saved. Discard them?'),
    enableBeforeUnload: isChanged,
    disabled: !isChanged,
  })
  return {
    draft,
    isChanged,
    /** Whether somebody else saved a version, or deleted the dashboard, while it is changed here. */
    isBehind: draft !== undefined && !save.isPending && latest?.digest !== draft.base.digest,
    begin: (base: StoredDashboard) => {
      save.reset()
      setDraft({ base, dashboard: contentOf(base) })
    },
    change: (part: Partial<Dashboard>) => setDraft((now) => now && { ...now, dashboard: { ...now.dashboard, ...part } }),
    discard: () => setDraft(undefined),
    /** `mayFollow`: also after a version that somebody else has saved. */
    save: (mayFollow: boolean) => draft && save.mutate({ ...draft, mayFollow }),
    saving: save,
  }
}

export type DashboardDraft = ReturnType<typeof useDraft>
