import { useQueryClient } from '@tanstack/react-query'
import { Eye, EyeOff, KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/texts/message-of.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { signIn } from '../../lib/server/session.ts'

/** Signs in with an API key. `problem`: why another way to sign in has failed. */
export function SignInForm({ problem }: { problem?: string | undefined }) {
  const queries = useQueryClient()
  const [key, setKey] = useState('')
  const [isShown, setShown] = useState(false)
  const [failure, setFailure] = useState(problem)
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    try {
      await signIn(key.trim())
      await queries.invalidateQueries()
    } catch (error) {
      setFailure(messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <form className="flex flex-col items-stretch gap-4" onSubmit={(event) => void submit(event)}>
      {failure !== undefined && <Notice tone="error" title={failure} />}
      <Field label="API key" help="For this browser, until you sign out.">
        {(ids) => (
          <span className="field flex h-10 items-center gap-2 pr-1 pl-3">
            <KeyRound size={15} aria-hidden className="text-fg-3" />
            <input
              {...ids}
              type={isShown ? 'text' : 'password'}
              autoComplete="current-password"
              spellCheck={false}
              value={key}
              onChange={({ target }) => setKey(target.value)}
              className="mono min-w-0 grow bg-transparent outline-none"
            />
            <IconButton
              label={isShown ? 'Hide key' : 'Show key'}
              icon={isShown ? EyeOff : Eye}
              size="md"
              aria-pressed={isShown}
              onClick={() => setShown(!isShown)}
            />
          </span>
        )}
      </Field>
      <Button type="submit" variant="primary" size="lg" loading={isBusy} disabled={key.trim() === ''}>
        Sign in
      </Button>
    </form>
  )
}
