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
        There is nothing at this address. Start from the <Link to="/">projects</Link>.
      </p>
    </main>
  )
}
