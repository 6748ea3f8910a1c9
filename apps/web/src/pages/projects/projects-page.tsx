import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'

/** The way into a project by its name. */
export function ProjectsPage() {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const parts = name.trim().split('/')
  const [entity = '', project = ''] = parts
  const isName = parts.length === 2 && entity !== '' && project !== ''

  function open(event: FormEvent) {
    event.preventDefault()
    if (isName) void navigate({ to: '/$entity/$project', params: { entity, project } })
  }

  return (
    <main id="content" className="narrow">
      <h1>Projects</h1>
      <form onSubmit={open}>
        <label htmlFor="project">Project, as entity/project</label>
        <input id="project" value={name} onChange={({ target }) => setName(target.value)} />
        <button type="submit" className="primary" disabled={!isName}>
          Open
        </button>
      </form>
    </main>
  )
}
