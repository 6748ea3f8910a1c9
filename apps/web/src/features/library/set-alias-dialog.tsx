import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { explain } from '../../ui/states/query-problem.tsx'
import { versionsQuery } from './library-queries.ts'
import { type AliasedVersion, useMoveAlias } from './use-move-alias.ts'

const maxLength = 128

/** Gives a version an alias, which moves there if another version has it. */
export function SetAliasDialog({ version, onClose }: { version: AliasedVersion; onClose: () => void }) {
  const { name, index } = version
  const formId = useId()
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const versions = useInfiniteQuery(versionsQuery(client, useProject(), { name, isOp: false })).data?.pages.flat() ?? []
  const move = useMoveAlias(name)
  const alias = text.trim()
  const holder = versions.find(({ aliases }) => aliases?.includes(alias))
  const known = [...new Set(versions.flatMap(({ aliases }) => aliases ?? []))].filter((one) => one !== 'latest')

  function save(event: FormEvent) {
    event.preventDefault()
    if (alias !== '' && !move.isPending) move.mutate({ alias, to: version, from: holder?.digest }, { onSuccess: onClose })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Set alias"
      description={`${name} v${index}`}
      initialFocus={input}
      footer={
        <DialogActions onCancel={onClose} type="submit" form={formId} disabled={alias === ''} loading={move.isPending}>
          Set alias
        </DialogActions>
      }
    >
      <form id={formId} onSubmit={save} className="pb-4">
        <Field
          label="Alias"
          help={holder ? `Moves here from v${holder.version_index}` : 'Programs read the version by this name'}
          {...(move.error && { error: explain(move.error) })}
        >
          {(ids) => (
            <Input
              {...ids}
              ref={input}
              list={listId}
              placeholder="staging"
              maxLength={maxLength}
              value={text}
              onChange={({ target }) => {
                move.reset()
                setText(target.value)
              }}
            />
          )}
        </Field>
        <datalist id={listId}>
          {known.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </form>
    </Dialog>
  )
}
