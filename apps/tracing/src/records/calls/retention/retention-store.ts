import type { ProjectScope } from '@heddle/identity'

/** How long the calls of a project are kept, in days from their start; null = for ever. */
export interface RetentionStore {
  read(project: ProjectScope): Promise<number | null>
  write(project: ProjectScope, days: number | null): Promise<void>
}
