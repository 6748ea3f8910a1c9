import type { tracing, training } from '@heddle/core-api'
import type { ClientOf } from '@heddle/core-api/client'
import type { PageStart } from '../answer/cursor.ts'
import { ToolError } from '../answer/tool-error.ts'

export type TracingClient = ClientOf<typeof tracing>
export type TrainingClient = ClientOf<typeof training>

/** A project, as the services name it. */
export interface ProjectName {
  /** `entity/project`. */
  id: string
  entity: string
  project: string
}

export interface Progress {
  progress: number
  total?: number
  message: string
}

/** A tool's context in addition to its arguments. */
export interface ToolContext {
  tracing: TracingClient
  /** The same for values that are shown: a number that JavaScript would write differently is a `JsonNumber`. */
  exactTracing: TracingClient
  training: TrainingClient
  /** The project of the arguments, else the default one. @throws ToolError if there is neither */
  project: () => ProjectName
  signal: AbortSignal
  /** Milliseconds since 1970. */
  now: () => number
  /** Start of the requested page. */
  page: PageStart
  /** Text that was recorded, made safe to read. */
  recorded: <T>(value: T) => T
  /** Reports the progress of the call, if the client requested it. */
  report: (progress: Progress) => void
  /** Whether tools may change data. */
  allowsWrites: boolean
  /** The user's confirmation: the version of the target that was shown. */
  confirmed?: string
}

/** @throws ToolError when the text is not `entity/project` */
export function parseProject(text: string | undefined): ProjectName {
  if (text === undefined) {
    throw new ToolError(
      'bad_request',
      'no project was named, and the server has no default one',
      'Pass `project` as "entity/project", or start the server with HEDDLE_PROJECT.',
    )
  }
  const [entity = '', project = '', ...more] = text.split('/')
  if (entity === '' || project === '' || more.length > 0) {
    throw new ToolError(
      'bad_request',
      `"${text.slice(0, 100)}" is not the name of a project`,
      'Pass `project` as "entity/project", for example "my-team/my-app".',
    )
  }
  return { id: text, entity, project }
}
