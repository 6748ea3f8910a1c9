import { Link } from '@tanstack/react-router'
import { useProject } from '../../lib/use-project.ts'

/** The way from a run or a comparison up to the list. */
export function EvaluationsLink() {
  const project = useProject()
  return (
    <Link to="/$entity/$project/evaluations" params={project}>
      Evaluations
    </Link>
  )
}
