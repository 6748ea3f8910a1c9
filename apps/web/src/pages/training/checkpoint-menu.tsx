import type { TrainedModel } from '@heddle/core-api/types'
import { useNavigate } from '@tanstack/react-router'
import { Download, FlaskConical, ListTree, Star, Trash2 } from 'lucide-react'
import { serverUrl } from '../../lib/server/base-path.ts'
import { useProject } from '../../lib/use-project.ts'
import { MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'

interface Properties {
  model: TrainedModel
  step: number
  isKept: boolean
  hasFiles: boolean
  canDelete: boolean
  onKeep: (kept: boolean) => void
  onEvaluate: () => void
  onDelete: () => void
}

/** Actions on a checkpoint. */
export function CheckpointMenu({ model, step, isKept, hasFiles, canDelete, onKeep, onEvaluate, onDelete }: Properties) {
  const project = useProject()
  const navigate = useNavigate()
  return (
    <RowMenu of={`step ${step}`}>
      <MenuItem icon={FlaskConical} onClick={onEvaluate}>
        Evaluate…
      </MenuItem>
      <MenuItem
        icon={ListTree}
        onClick={() =>
          void navigate({
            to: '/$entity/$project/training/models/$model/trajectories',
            params: { ...project, model: model.id },
            search: { step },
          })
        }
      >
        Trajectories
      </MenuItem>
      <MenuItem icon={Star} onClick={() => onKeep(!isKept)}>
        {isKept ? 'No longer keep' : 'Keep'}
      </MenuItem>
      {hasFiles && (
        <MenuItem
          icon={Download}
          onClick={() => window.location.assign(`${serverUrl()}/v1/preview/models/${model.id}/checkpoints/${step}/archive`)}
        >
          Download
        </MenuItem>
      )}
      {canDelete && (
        <>
          <MenuSeparator />
          <MenuItem danger icon={Trash2} onClick={onDelete}>
            Delete…
          </MenuItem>
        </>
      )}
    </RowMenu>
  )
}
