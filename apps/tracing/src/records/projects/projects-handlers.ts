import type { Handlers, tracing } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import type { ProjectMembers, ProjectScope } from '@heddle/identity'
import type { ProjectLimiter } from '@heddle/service-kit'
import type { TracingContext } from '../../context.ts'
import type { DeletionsStore } from '../../deletions/deletions-store.ts'
import { describeProjects, type DescribeProjectsDeps } from './describe-projects.ts'
import { projectDeletionsHandlers } from './project-deletions-handlers.ts'
import type { Retention } from '../calls/retention/retention.ts'
import { countUnderWay, type UnderWayDeps } from './under-way.ts'

/** A hundred years. */
const maxRetentionDays = 36_500

const maxMembers = 1_000

/** Records of one kind, which know the bytes that they take up in a project. */
interface SizedRecords {
  totalBytes(project: ProjectScope): Promise<number>
}

export interface ProjectsDeps extends DescribeProjectsDeps, UnderWayDeps {
  identity: ProjectMembers
  deletions: Pick<DeletionsStore, 'list'>
  retention: Retention
  limiter: ProjectLimiter
  calls: SizedRecords & UnderWayDeps['calls']
  objects: SizedRecords
  files: SizedRecords
  tables: SizedRecords
}

/** Operations on projects as a whole. */
export function projectsHandlers({
  identity,
  deletions,
  retention,
  limiter,
  calls,
  objects,
  files,
  tables,
  underWay,
  ...described
}: ProjectsDeps): Handlers<(typeof tracing)['projects'], TracingContext> {
  return {
    ...projectDeletionsHandlers({ deletions }),

    async query({ contains, after, limit }, context) {
      const found = await context.list({ contains: contains ?? '', after: after ?? '', limit: limit + 1 })
      return { projects: await describeProjects(found.slice(0, limit), described), has_more: found.length > limit }
    },

    async stats({ project_id, ...include }, context) {
      const project = await context.open(project_id)
      const [trace_storage_size_bytes, objects_storage_size_bytes, tables_storage_size_bytes, files_storage_size_bytes] = await Promise.all(
        [
          include.include_trace_storage_size ? calls.totalBytes(project) : null,
          include.include_object_storage_size ? objects.totalBytes(project) : null,
          include.include_table_storage_size ? tables.totalBytes(project) : null,
          include.include_file_storage_size ? files.totalBytes(project) : null,
        ],
      )
      return { trace_storage_size_bytes, objects_storage_size_bytes, tables_storage_size_bytes, files_storage_size_bytes }
    },

    async readUnderWay({ project_id }, context) {
      const project = await context.open(project_id)
      return countUnderWay(project, context.caller.userId, { underWay, calls, clock: described.clock })
    },

    async queryMembers({ project_id }, context) {
      const found = await identity.listMembers(await context.open(project_id), context.caller)
      return { members: found.slice(0, maxMembers), has_more: found.length > maxMembers }
    },

    async readTtlSettings({ project_id }, context) {
      return { retention_days: await retention.daysOf(await context.open(project_id)) }
    },

    async updateTtlSettings({ project_id, retention_days }, context) {
      if (retention_days !== null && (retention_days < 1 || retention_days > maxRetentionDays))
        throw badRequest(`retention_days is ${retention_days}; it must be null or a whole number from 1 to ${maxRetentionDays}`)
      await retention.set(await context.open(project_id), retention_days)
      return { retention_days }
    },

    async readLimits({ project_id }, context) {
      const { id } = await context.open(project_id)
      return limiter.usageOf(id, context.caller.keyId)
    },

    async updateLimits({ project_id, ...changes }, context) {
      const project = await context.open(project_id)
      await limiter.set(project, changes)
      return limiter.usageOf(project.id, context.caller.keyId)
    },
  }
}
