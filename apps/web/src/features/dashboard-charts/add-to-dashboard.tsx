import { useNavigate } from '@tanstack/react-router'
import { LayoutDashboard } from 'lucide-react'
import { MenuItem } from '../../ui/menu.tsx'
import { useProject } from '../../lib/use-project.ts'
import type { Chart } from './chart.ts'

/** Leads to the choice of a dashboard to which the chart is added: an item of its menu. */
export function AddToDashboardItem({ chart }: { chart: Chart }) {
  const { entity, project } = useProject()
  const navigate = useNavigate()
  return (
    <MenuItem
      icon={LayoutDashboard}
      onClick={() => void navigate({ to: '/$entity/$project/dashboards', params: { entity, project }, search: { add: chart } })}
    >
      Add to dashboard…
    </MenuItem>
  )
}
