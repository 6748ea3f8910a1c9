import { Link, Outlet } from '@tanstack/react-router'
import { libraryKinds } from '../pages/library/library-kinds.ts'
import { useProject } from './use-project.ts'

/** The pages of a project, beside their list. */
export function ProjectLayout() {
  const params = useProject()
  const active = { className: 'active' }
  return (
    <div className="project">
      <nav aria-label="Project" className="side">
        <Link to="/$entity/$project" params={params} activeOptions={{ exact: true }} activeProps={active} className="project-name">
          {params.id}
        </Link>
        <h2>Observe</h2>
        <Link to="/$entity/$project/calls" params={params} activeProps={active}>
          Calls
        </Link>
        <Link to="/$entity/$project/threads" params={params} activeProps={active}>
          Threads
        </Link>
        <Link to="/$entity/$project/costs" params={params} activeProps={active}>
          Costs
        </Link>
        <Link to="/$entity/$project/feedback" params={params} activeProps={active}>
          Feedback
        </Link>
        <h2>Evaluate</h2>
        <Link to="/$entity/$project/evaluations" params={params} activeProps={active}>
          Evaluation runs
        </Link>
        <Link to="/$entity/$project/datasets" params={params} activeProps={active}>
          Datasets
        </Link>
        <Link to="/$entity/$project/queues" params={params} activeProps={active}>
          Annotation queues
        </Link>
        <h2>Train</h2>
        <Link to="/$entity/$project/training/jobs" params={params} activeProps={active}>
          Training
        </Link>
        <h2>Library</h2>
        {libraryKinds.map(({ path, title }) => (
          <Link key={path} to="/$entity/$project/$kind" params={{ ...params, kind: path }} activeProps={active}>
            {title}
          </Link>
        ))}
        <Link to="/$entity/$project/registry" params={params} activeProps={active}>
          Registry
        </Link>
        <Link to="/$entity/$project/playground" params={params} activeProps={active}>
          Playground
        </Link>
        <h2>Settings</h2>
        <Link to="/$entity/$project/settings" params={params} activeProps={active}>
          Project settings
        </Link>
      </nav>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}
