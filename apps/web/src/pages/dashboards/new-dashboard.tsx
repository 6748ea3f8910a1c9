import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Select } from '../../ui/select.tsx'
import type { Chart } from '../../features/dashboard-charts/chart.ts'
import { createDashboard } from './dashboard-queries.ts'
import { templates } from './ready-made.ts'
import { type Dashboard, maxNameLength } from './stored-dashboard.ts'

const blank = 'blank'
const choices = [{ value: blank, label: 'No charts' }, ...templates.map(({ name }) => ({ value: name, label: name }))]

interface Properties {
  isOpen: boolean
  /** A chart to add to the new dashboard. */
  add?: Chart | undefined
  onClose: () => void
}

/** Dialog for the name of a new dashboard and its initial charts. The input is kept if it was not created. */
export function NewDashboard({ isOpen, add, onClose }: Properties) {
  const [name, setName] = useState('')
  const [template, setTemplate] = useState(blank)
  const create = useCreateDashboard({ add, onCreated: onClose })
  const chosen = templates.find((one) => one.name === template)
  const title = name.trim() || chosen?.name
  return (
    <FormDialog
      open={isOpen}
      onClose={onClose}
      title="New dashboard"
      action="Create"
      isReady={title !== undefined}
      isSending={create.isPending}
      onSubmit={() => title !== undefined && create.mutate({ name: title, charts: chosen?.charts ?? [], unread: [] })}
      className="flex flex-col gap-4"
    >
      <TextField label="Name" maxLength={maxNameLength} placeholder={chosen?.name ?? ''} value={name} onChange={setName} />
      <div>
        <Select label="Template" size="md" className="w-full" value={template} onChange={setTemplate} choices={choices} />
      </div>
      <Failure error={create.error} before="The dashboard was not created." />
    </FormDialog>
  )
}

/** Creates a dashboard and opens it. */
function useCreateDashboard({ add, onCreated }: { add?: Chart | undefined; onCreated?: () => void } = {}) {
  const project = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (dashboard: Dashboard) => createDashboard(queries, project.id, dashboard),
    onSuccess: async (dashboard) => {
      onCreated?.()
      await navigate({ to: '/$entity/$project/dashboards/$dashboard', params: { ...project, dashboard }, search: { add } })
    },
  })
}

/** Creates one of the dashboards to begin with by one press. */
export function TemplateButtons() {
  const create = useCreateDashboard()
  return (
    <div className="flex flex-col items-center gap-3">
      <div className="flex flex-wrap justify-center gap-2">
        {templates.map((template) => (
          <Button key={template.name} disabled={create.isPending} onClick={() => create.mutate(template)}>
            {template.name}
          </Button>
        ))}
      </div>
      <Failure error={create.error} before="The dashboard was not created." />
    </div>
  )
}
