import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { signIn } from './session.ts'

/** Asks for a key, and stays on the address that was opened. `isAgain`: above a page whose session has ended. */
export function SignIn({ isAgain = false }: { isAgain?: boolean }) {
  const queries = useQueryClient()
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    try {
      await signIn(key.trim())
      await queries.invalidateQueries()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }

  const Box = isAgain ? 'section' : 'main'
  return (
    <Box id={isAgain ? 'sign-in-again' : 'content'} aria-labelledby="sign-in" className="narrow">
      <h1 id="sign-in">{isAgain ? 'Your session has ended' : 'Sign in'}</h1>
      <p>
        {isAgain && 'Sign in again; the page below keeps what you typed. '}The server printed an API key when it started for the first time;
        it is in its data folder.
      </p>
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
    </Box>
  )
}
