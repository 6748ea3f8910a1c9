import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { sessionQuery, signIn } from './session.ts'

/** Asks for a key, and stays on the address that was opened. */
export function SignIn() {
  const queries = useQueryClient()
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    try {
      await signIn(key.trim())
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <main id="content" className="narrow">
      <h1>Sign in</h1>
      <p>The server printed an API key when it started for the first time; it is in its data folder.</p>
      <form onSubmit={(event) => void submit(event)}>
        <label htmlFor="key">API key</label>
        <input id="key" type="password" autoComplete="current-password" value={key} onChange={({ target }) => setKey(target.value)} />
        <button type="submit" className="primary" disabled={isBusy || key.trim() === ''}>
          Sign in
        </button>
      </form>
      {problem !== undefined && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
    </main>
  )
}
