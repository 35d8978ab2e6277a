import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { noteBody } from '#app/leads/lead/note.ts'
import { shell } from '#app/content/shell.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { TagDialog } from '#app/ui/admin/tag-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select, Textarea } from '#app/ui/input.tsx'
import { submitOnEnter } from '#app/ui/submit-on-enter.ts'
import type { BulkChange, DeskLead } from '#app/leads/lead/desk.ts'
import { LEADS_URL } from '#app/leads/lead/desk.ts'
import { StageDialog } from './stage-dialog.tsx'
import { type ChosenLeads, extentOf, isOutdated, pipelineQuery, useBulk } from './use-desk.tsx'

export type DeskDialogState =
  | ({ open: 'stage' } & Omit<React.ComponentProps<typeof StageDialog>, 'close'>)
  | { open: 'owner' | 'tag' | 'untag' | 'delete'; chosen: ChosenLeads; current?: string | undefined }
  | { open: 'note'; lead: DeskLead }
  | { open: 'keys' }

/** The dialog of an action of the desk. */
export function DeskDialog({ state, close }: { state: DeskDialogState; close: () => void }) {
  if (state.open === 'keys') return <KeyList close={close} />
  if (state.open === 'note') return <NoteDialog lead={state.lead} close={close} />
  if (state.open === 'stage') return <StageDialog {...state} close={close} />
  return <ChangeDialog {...state} close={close} />
}

type ChangeDialogProps = {
  open: 'owner' | 'tag' | 'untag' | 'delete'
  chosen: ChosenLeads
  current?: string | undefined
  close: () => void
}

function ChangeDialog({ open, chosen, current, close }: ChangeDialogProps) {
  const bulk = useBulk()
  const { choice, count, done } = chosen
  const leads = extentOf(chosen)
  // Of several leads it is only the value of the first.
  const seen = count === 1 ? current : undefined
  const sent = () => {
    done?.()
    close()
  }
  const send = (change: BulkChange) => bulk.mutate({ choice, change, done: sent }, { onError: (error) => isOutdated(error) && close() })
  if (open === 'delete') {
    return (
      <ConfirmDialog
        open
        onClose={close}
        onConfirm={() => send({ change: 'delete' })}
        title={`Delete ${leads}?`}
        confirm="Delete"
        busy={bulk.isPending}
      >
        <p>Deleted leads leave every list and figure. You can undo this; after 30 days they are erased.</p>
      </ConfirmDialog>
    )
  }
  if (open === 'tag' || open === 'untag')
    return <TagDialog open={open} items={leads} send={(tag) => send({ change: open, tag })} busy={bulk.isPending} close={close} />
  return <OwnerDialog leads={leads} current={current} seen={seen} isSaving={bulk.isPending} send={send} close={close} />
}

type OwnerDialogProps = {
  leads: string
  current: string | undefined
  seen: string | undefined
  isSaving: boolean
  send: (change: BulkChange) => void
  close: () => void
}

const choice = z.object({ value: z.string() })

function OwnerDialog({ leads, current, seen, isSaving, send, close }: OwnerDialogProps) {
  const form = useForm({
    schema: choice,
    send: async ({ value }) => send({ change: 'owner', ownerId: value || null, ...(seen !== undefined && { from: seen || null }) }),
    failed: 'Leads not changed',
  })
  return (
    <FormDialog form={{ ...form, isSaving }} onClose={close} title={`Owner of ${leads}`} submit="Assign">
      <OwnerSelect current={current} />
    </FormDialog>
  )
}

function OwnerSelect({ current }: { current?: string | undefined }) {
  const pipeline = useQuery(pipelineQuery)
  return (
    <Field label="Owner" name="value" optional>
      <Select key={String(pipeline.isSuccess)} defaultValue={current} onKeyDown={submitOnEnter}>
        <option value="">No owner</option>
        {pipeline.data?.owners.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  )
}

function NoteDialog({ lead: { reference, name }, close }: { lead: DeskLead; close: () => void }) {
  const form = useForm({
    schema: noteBody,
    send: async (body) => apiRequest('POST', `${LEADS_URL}/${reference}/notes`, body),
    done: 'Note added',
    failed: 'Note not added',
    touches: leadData,
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={`Note on ${name}`} submit="Add note" pending="Adding...">
      <Field label="Note" name="text" hint="Markdown works. Only staff can see it. Ctrl or ⌘ with Enter adds it.">
        <Textarea most={10_000} onKeyDown={(event) => (event.ctrlKey || event.metaKey) && submitOnEnter(event)} />
      </Field>
    </FormDialog>
  )
}

const deskKeys = [
  ['→', 'Next cell of the lead, which Enter edits'],
  ['c', 'New lead'],
  ['e', 'Change the stage'],
  ['a', 'Assign an owner'],
  ['n', 'Add a note'],
  ['r', 'Reply by email'],
] as const

/** The keys of the desk, then those of every list and of the whole workspace. */
function KeyList({ close }: { close: () => void }) {
  return (
    <Dialog open onClose={close} title={shell.keys.title}>
      <dl className="grid grid-cols-1 gap-1.5 text-small">
        {[...deskKeys, ...shell.keys.list].map(([key, does]) => (
          <div key={key} className="flex items-baseline justify-between gap-6">
            <dt>{does}</dt>
            <dd>
              <kbd className="rounded-control border border-line bg-sunken px-1.5 py-0.5">{key}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
