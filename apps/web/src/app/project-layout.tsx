import { Link, Outlet } from '@tanstack/react-router'
import { Fragment } from 'react'
import { libraryKinds } from '../pages/library/library-kinds.ts'
import { useProject } from './use-project.ts'

const groups = [
  {
    title: 'Observe',
    pages: [
      { to: '/$entity/$project/calls', title: 'Calls' },
      { to: '/$entity/$project/threads', title: 'Threads' },
      { to: '/$entity/$project/dashboards', title: 'Dashboards' },
      { to: '/$entity/$project/costs', title: 'Costs' },
      { to: '/$entity/$project/feedback', title: 'Feedback' },
    ],
  },
  {
    title: 'Evaluate',
    pages: [
      { to: '/$entity/$project/evaluations', title: 'Evaluation runs' },
      { to: '/$entity/$project/datasets', title: 'Datasets' },
      { to: '/$entity/$project/queues', title: 'Annotation queues' },
    ],
  },
  { title: 'Train', pages: [{ to: '/$entity/$project/training/jobs', title: 'Training' }] },
  {
    title: 'Library',
    pages: [
      ...libraryKinds.map(({ path, title }) => ({ to: '/$entity/$project/$kind' as const, kind: path, title })),
      { to: '/$entity/$project/registry', title: 'Registry' },
      { to: '/$entity/$project/playground', title: 'Playground' },
    ],
  },
  { title: 'Settings', pages: [{ to: '/$entity/$project/settings', title: 'Project settings' }] },
] as const

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
        {groups.map(({ title, pages }) => (
          <Fragment key={title}>
            <h2>{title}</h2>
            {pages.map((page) => (
              <Link key={page.title} to={page.to} params={'kind' in page ? { ...params, kind: page.kind } : params} activeProps={active}>
                {page.title}
              </Link>
            ))}
          </Fragment>
        ))}
      </nav>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}
