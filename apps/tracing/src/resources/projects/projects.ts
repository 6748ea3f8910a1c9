import type { Platform } from '../../platform.ts'
import { sqlProjectActivityStore } from './project-activity-store.sql.ts'
import { projectsHandlers, type ProjectsDeps } from './projects-handlers.ts'

/** Projects as a whole, as a view over their records. */
export const createProjects = (
  { analytical, clock, identity }: Platform,
  views: Omit<ProjectsDeps, 'activity' | 'clock' | 'identity'>,
) => ({
  handlers: projectsHandlers({ ...views, activity: sqlProjectActivityStore(analytical), clock, identity }),
})
