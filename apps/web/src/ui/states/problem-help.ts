import { isApiError } from '@heddle/core-api'

/** What a person can do about an error, beyond asking again. */
export interface ProblemHelp {
  /** What is missing or may have happened, and who can help. */
  text?: string
  /** The page that leads on. */
  way?: 'status' | 'overview' | 'projects'
}

/** `project` is the id of the page's project, if it has one. */
export function helpFor(error: unknown, project: string | undefined): ProblemHelp {
  if (!isApiError(error)) return {}
  const { status, message } = error
  const { setting } = error.extra
  if (status === 403) {
    if (typeof setting === 'string') return { text: `The setting ${setting} decides it. The operator of the server can change it.` }
    // A refusal with its own reason names the missing permission.
    if (message !== 'Forbidden' || project === undefined) return { text: 'An administrator can give you another key.', way: 'projects' }
    return { text: `It lacks access to the project ${project}. An administrator can give you a key that has it.`, way: 'projects' }
  }
  if (status === 404)
    return {
      text: 'It may have been deleted, or is in a project that you cannot open.',
      way: project === undefined ? 'projects' : 'overview',
    }
  return status === 429 || status >= 500 ? { way: 'status' } : {}
}

/** In whole seconds, from 100 on in whole minutes. */
export function waitText(seconds: number): string {
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}
