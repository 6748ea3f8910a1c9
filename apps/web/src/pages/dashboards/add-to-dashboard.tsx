import { Link } from '@tanstack/react-router'
import { useProject } from '../../app/use-project.ts'
import type { Chart } from './chart/chart.ts'

/** Leads to the choice of a dashboard to which the chart is added. Its name contains that of the chart where `isOneOfSeveral`. */
export function AddToDashboard({ chart, isOneOfSeveral = false }: { chart: Chart; isOneOfSeveral?: boolean }) {
  const { entity, project } = useProject()
  return (
    <Link
      to="/$entity/$project/dashboards"
      params={{ entity, project }}
      search={{ add: chart }}
      {...(isOneOfSeveral && { 'aria-label': `Add to a dashboard: ${chart.title}` })}
    >
      Add to a dashboard
    </Link>
  )
}
