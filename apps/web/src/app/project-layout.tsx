import { Link, Outlet } from '@tanstack/react-router'
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
      </nav>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}
