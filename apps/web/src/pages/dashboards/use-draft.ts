import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { type Chart, isSame } from '../../features/dashboard-charts/chart.ts'
import { saveDashboard } from './dashboard-queries.ts'
import type { Dashboard, StoredDashboard } from './stored-dashboard.ts'
import { useConfirm } from '../../ui/confirm/confirm.tsx'

interface Draft {
  /** The version that is changed. */
  base: StoredDashboard
  dashboard: Dashboard
}

const contentOf = ({ name, charts, unread }: Dashboard): Dashboard => ({ name, charts, unread })

/** The unsaved changes of a dashboard. Leaving the page with some requires confirmation. `latest` is null if it was deleted. */
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
  const confirm = useConfirm()
  useBlocker({
    shouldBlockFn: async () => !(await confirm({ text: 'Discard unsaved changes? They are lost.', confirm: 'Discard' })),
    enableBeforeUnload: isChanged,
    disabled: !isChanged,
  })
  return {
    draft,
    isChanged,
    /** Whether another user saved a version, or deleted the dashboard, during these changes. */
    isBehind: draft !== undefined && !save.isPending && latest?.digest !== draft.base.digest,
    begin: (base: StoredDashboard) => {
      save.reset()
      setDraft({ base, dashboard: contentOf(base) })
    },
    change: (part: Partial<Dashboard>) => setDraft((now) => now && { ...now, dashboard: { ...now.dashboard, ...part } }),
    changeCharts: (change: (charts: readonly Chart[]) => readonly Chart[]) =>
      setDraft((now) => now && { ...now, dashboard: { ...now.dashboard, charts: change(now.dashboard.charts) } }),
    discard: () => setDraft(undefined),
    /** `mayFollow`: even after a version that another user has saved. */
    save: (mayFollow: boolean) => draft && save.mutate({ ...draft, mayFollow }),
    saving: save,
  }
}

export type DashboardDraft = ReturnType<typeof useDraft>
