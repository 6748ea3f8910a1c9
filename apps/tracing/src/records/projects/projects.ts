import type { Platform } from '../../platform.ts'
import { sqlProjectActivityStore } from './project-activity-store.sql.ts'
import { projectsHandlers, type ProjectsDeps } from './projects-handlers.ts'
import { sqlUnderWayStore } from './under-way-store.sql.ts'

/** Projects as a whole, as a view over their records. */
export const createProjects = (
  { analytical, database, visibility, deletions, clock, identity }: Platform,
  views: Omit<ProjectsDeps, 'activity' | 'underWay' | 'clock' | 'identity' | 'deletions'>,
) => ({
  handlers: projectsHandlers({
    ...views,
    activity: sqlProjectActivityStore(analytical, visibility),
    underWay: sqlUnderWayStore(database),
    clock,
    identity,
    deletions,
  }),
})
