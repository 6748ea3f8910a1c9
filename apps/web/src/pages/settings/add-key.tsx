import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client } from '../../app/client.ts'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'

const roles = {
  writer: 'writer: reads and writes',
  ingest: 'ingest: only sends',
  reader: 'reader: only reads',
  admin: 'admin: everything, deleting and keys included',
} as const
type Role = keyof typeof roles

/** Makes a key for the project, and shows it once. */
export function AddKey() {
  const { id } = useProject()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('writer')
  const [days, setDays] = useState('90')
  const isValid = days.trim() === '' || /^[1-9]\d{0,4}$/.test(days.trim())
  const add = useMutation({
    // What is made is not kept in a cache: the secret is shown once, and gone with this page.
    gcTime: 0,
    mutationFn: () =>
      client.projectKeys.create({
        project_id: id,
        name: name.trim(),
        role,
        expires_in_days: days.trim() === '' ? null : Number(days),
      }),
    onSuccess() {
      setName('')
      return readAgain(queries, ['keys', id])
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    add.mutate()
  }
  return (
    <>
      <h3>Create a key for this project</h3>
      <form onSubmit={submit}>
        <label htmlFor="key-name">What it is for</label>
        <input id="key-name" maxLength={128} autoComplete="off" value={name} onChange={({ target }) => setName(target.value)} />
        <label htmlFor="key-role">Role</label>
        <select id="key-role" value={role} onChange={({ target }) => setRole(target.value as Role)}>
          {Object.entries(roles).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <label htmlFor="key-days">Days until it expires (empty: when your own key does, or never)</label>
        <input id="key-days" inputMode="numeric" aria-invalid={!isValid} value={days} onChange={({ target }) => setDays(target.value)} />
        {!isValid && <p className="problem">The days must be a whole number from 1 to 36500, got "{days.slice(0, 20)}".</p>}
        <button type="submit" disabled={name.trim() === '' || !isValid || add.isPending}>
          Create key
        </button>
        <Failure error={add.error} />
      </form>
      {add.data && (
        <ShownOnce secret={add.data.secret} onDone={() => add.reset()}>
          The key <strong>{add.data.key.name}</strong>
        </ShownOnce>
      )}
    </>
  )
}
