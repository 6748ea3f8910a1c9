import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'

/** The way to a project that does not exist yet: its page waits for the first trace. */
export function OpenProject() {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [isRefused, setRefused] = useState(false)

  function open(event: FormEvent) {
    event.preventDefault()
    const [entity = '', project = '', ...more] = name.trim().split('/')
    const isName = entity !== '' && project !== '' && more.length === 0
    setRefused(!isName)
    if (isName) void navigate({ to: '/$entity/$project', params: { entity, project } })
  }

  return (
    <section aria-label="New project">
      <h2>New project</h2>
      <p className="muted">
        Its name is that of a team or person, a slash, and that of a program. It is created by the first trace sent to it, and its page says
        how to send one.
      </p>
      <form className="row" onSubmit={open}>
        <label htmlFor="project">Project</label>
        <input
          id="project"
          placeholder="my-team/my-agent"
          aria-invalid={isRefused}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <button type="submit" disabled={name.trim() === ''}>
          Open
        </button>
      </form>
      {isRefused && (
        <p role="alert" className="problem">
          The name needs one slash with text on both sides, as in my-team/my-agent, got "{name.slice(0, 100)}".
        </p>
      )}
    </section>
  )
}
