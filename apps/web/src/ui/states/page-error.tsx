import { type ErrorComponentProps, useLocation } from '@tanstack/react-router'
import { FileQuestion } from 'lucide-react'
import { NotLoaded } from './not-loaded.tsx'
import { QueryProblem } from './query-problem.tsx'
import { ButtonLink } from '../button-link.tsx'
import { EmptyState } from '../card.tsx'
import { PageHead } from '../page.tsx'
import { isMissingCode } from '../../lib/code/missing-code.ts'
import { useProjectIfAny } from '../../lib/use-project.ts'

export function PageError({ error, reset }: ErrorComponentProps) {
  return isMissingCode(error) ? <NotLoaded /> : <QueryProblem error={error} retry={reset} />
}

export function NotFound() {
  const project = useProjectIfAny()
  const { pathname } = useLocation()
  return (
    <>
      <PageHead title="Page not found" />
      <EmptyState
        icon={FileQuestion}
        title="Page not found"
        actions={
          project ? (
            <ButtonLink variant="primary" to="/$entity/$project" params={{ entity: project.entity, project: project.project }}>
              Go to overview
            </ButtonLink>
          ) : (
            <ButtonLink variant="primary" to="/">
              Go to projects
            </ButtonLink>
          )
        }
      >
        Nothing is at <bdi className="mono [overflow-wrap:anywhere]">{pathname}</bdi>. What was here may have been deleted, or the link is
        incomplete.
      </EmptyState>
    </>
  )
}
