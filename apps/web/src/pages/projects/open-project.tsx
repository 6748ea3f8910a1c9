import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'

/** The way to a project that does not exist yet: its page waits for the first trace. */
export function OpenProject() {
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
    <section aria-label="New project">
      <h2>New project</h2>
      <p className="muted">A project is created by the first trace that is sent to it. Its page says how to send one.</p>
      <form className="row" onSubmit={open}>
        <label htmlFor="project">Project, as entity/project</label>
        <input id="project" value={name} onChange={({ target }) => setName(target.value)} />
        <button type="submit" disabled={!isName}>
          Open
        </button>
      </form>
    </section>
  )
}
