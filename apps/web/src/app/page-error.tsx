import type { ErrorComponentProps } from '@tanstack/react-router'
import { Link } from '@tanstack/react-router'
import { QueryProblem } from '../components/query-problem.tsx'

export function PageError({ error, reset }: ErrorComponentProps) {
  return <QueryProblem error={error} retry={reset} />
}

export function NotFound() {
  return (
    <main id="content" className="narrow">
      <h1>Page not found</h1>
      <p>
        Nothing is at this address. The <Link to="/">projects</Link> are a place to start.
      </p>
    </main>
  )
}
