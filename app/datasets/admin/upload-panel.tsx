import { useState } from 'react'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { useAction } from '#app/ui/admin/use-action.ts'
import { bytesInWords } from '#app/ui/amount.ts'
import { Field } from '#app/ui/field.tsx'
import { Textarea } from '#app/ui/input.tsx'
import { toast } from '#app/ui/toast.ts'
import { DatasetDrop } from './dataset-drop.tsx'
import { differenceTo, findSavedUpload, type SavedUpload } from './kept-upload.ts'
import { UploadProgress } from './upload-progress.tsx'
import { cancelUpload, continueUpload, startUpload } from './uploads.ts'
import { useUploadOf } from './use-upload-of.tsx'

/** Uploads a new version: starts it, shows its progress, or resumes an interrupted one. */
export function UploadPanel({ productId, versions }: { productId: string; versions: readonly StaffVersion[] | undefined }) {
  const upload = useUploadOf(productId)
  // A version has the id of its upload.
  if (upload) return <UploadProgress upload={upload} version={versions?.find(({ id }) => id === upload.id)} />
  const kept = findSavedUpload(productId)
  if (kept) return <CutOff productId={productId} kept={kept} />
  return <Begin productId={productId} isFirst={versions?.length === 0} />
}

function Begin({ productId, isFirst }: { productId: string; isFirst: boolean }) {
  const [changes, setChanges] = useState('')
  const start = useAction({
    send: async (file: File) => startUpload(productId, file, changes.trim()),
    failed: 'Upload not started',
    touches: [],
  })
  return (
    <div className="grid gap-4">
      {!isFirst && (
        <Field
          label="What changed"
          name="changes"
          optional
          hint="Shown to customers beside the version number. Enter it before you choose the file."
        >
          <Textarea
            value={changes}
            most={2000}
            className="min-h-16"
            placeholder="November prices, two more shops."
            onChange={({ target }) => setChanges(target.value)}
          />
        </Field>
      )}
      <DatasetDrop label="Data file" busy={start.isPending} verb={start.isPending ? 'Starting...' : 'Choose a file'} take={start.mutate} />
    </div>
  )
}

function CutOff({ productId, kept }: { productId: string; kept: SavedUpload }) {
  const giveUp = { send: async () => cancelUpload(productId), failed: 'Upload not discarded', touches: [] }
  function take(file: File) {
    const description = differenceTo(kept, file)
    if (description) toast({ title: 'This is not the same file', description, look: 'danger' })
    else continueUpload(productId, file)
  }
  return (
    <DatasetDrop label="The same file again" verb="Choose the same file again" take={take}>
      <p className="text-small text-muted">
        <span className="font-mono font-semibold text-ink wrap-anywhere">{kept.fileName}</span> ({bytesInWords(kept.bytes)}) was
        interrupted. Choose it again or drop it here to resume the upload.
      </p>
      <ActionButton action={giveUp} size="small" pending="Discarding...">
        Discard upload
      </ActionButton>
    </DatasetDrop>
  )
}
