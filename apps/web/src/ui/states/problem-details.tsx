import { Link } from '@tanstack/react-router'
import { useProjectIfAny } from '../../lib/use-project.ts'
import { helpFor, waitText } from './problem-help.ts'
import { RequestId } from './request-id.tsx'
import { useRetryCountdown } from './use-retry-countdown.ts'

export interface ProblemDetailsProperties {
  error: unknown
  retry: () => void
  retriesItself: boolean
}

/** Within a sentence, colour alone does not show a link. */
const link = 'text-accent-text underline'

/** Help with an error: who can help, the page to go to, and when the request is repeated. */
export function ProblemDetails({ error, retry, retriesItself }: ProblemDetailsProperties) {
  const left = useRetryCountdown(retriesItself ? error : undefined, retry)
  const project = useProjectIfAny()
  const { text, way } = helpFor(error, project?.id)
  return (
    <>
      {text && `${text} `}
      {/* An alert is announced when it changes: not each second. */}
      {left !== undefined && <span aria-live="off">Trying again in {waitText(left)}. </span>}
      {way === 'status' && (
        <Link to="/status" className={link}>
          Service status
        </Link>
      )}
      {way === 'projects' && (
        <Link to="/" className={link}>
          Go to projects
        </Link>
      )}
      {way === 'overview' && project && (
        <Link to="/$entity/$project" params={project} className={link}>
          Go to overview
        </Link>
      )}
      <RequestId error={error} />
    </>
  )
}
