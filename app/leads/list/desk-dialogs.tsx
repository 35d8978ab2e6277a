import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { noteBody } from '#app/leads/lead/note.ts'
import { shell } from '#app/content/shell.ts'
import { ApiError, apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { TagDialog } from '#app/ui/admin/tag-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { countOf } from '#app/ui/amount.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select, Textarea } from '#app/ui/input.tsx'
import type { BulkChange, BulkChoice, DeskLead } from '#app/leads/lead/desk.ts'
import { LEADS_URL } from '#app/leads/lead/desk.ts'
import { pipelineQuery, useBulk } from './use-desk.tsx'
import { deskKeys } from './use-desk-keys.tsx'

/** Leads for a change: `count` of them, by id or by a filter. `done` clears the selection. */
export type ChosenLeads = { choice: BulkChoice; count: number; done?: (() => void) | undefined }

export type DeskDialogState =
  | { open: 'stage' | 'owner' | 'tag' | 'untag' | 'delete'; chosen: ChosenLeads; current?: string | undefined }
  | { open: 'note'; lead: DeskLead }
  | { open: 'keys' }

/** The dialog of an action of the desk. */
export function DeskDialog({ state, close }: { state: DeskDialogState; close: () => void }) {
  if (state.open === 'keys') return <KeyList close={close} />
  if (state.open === 'note') return <NoteDialog lead={state.lead} close={close} />
  return <ChangeDialog {...state} close={close} />
}

type ChangeDialogProps = {
  open: 'stage' | 'owner' | 'tag' | 'untag' | 'delete'
  chosen: ChosenLeads
  current?: string | undefined
  close: () => void
}

function ChangeDialog({ open, chosen, current, close }: ChangeDialogProps) {
  const bulk = useBulk()
  const { choice, count, done } = chosen
  const extent = 'ids' in choice ? '' : choice.count === undefined ? 'about ' : 'all '
  const leads = `${extent}${countOf(count, 'lead', 'leads')}`
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
  return <ChoiceDialog open={open} leads={leads} current={current} seen={seen} isSaving={bulk.isPending} send={send} close={close} />
}

type ChoiceDialogProps = {
  open: 'stage' | 'owner'
  leads: string
  current: string | undefined
  seen: string | undefined
  isSaving: boolean
  send: (change: BulkChange) => void
  close: () => void
}

const choice = z.object({ value: z.string() })

function ChoiceDialog({ open, leads, current, seen, isSaving, send, close }: ChoiceDialogProps) {
  const form = useForm({
    schema: choice,
    send: async ({ value }) =>
      send(
        open === 'stage'
          ? { change: 'stage', stageId: Number(value), ...(seen && { from: Number(seen) }) }
          : { change: 'owner', ownerId: value || null, ...(seen !== undefined && { from: seen || null }) },
      ),
    failed: 'Leads not changed',
  })
  return (
    <FormDialog
      form={{ ...form, isSaving }}
      onClose={close}
      title={open === 'stage' ? `Stage of ${leads}` : `Owner of ${leads}`}
      submit={open === 'stage' ? 'Change stage' : 'Assign'}
    >
      {open === 'stage' ? <StageSelect current={current} /> : <OwnerSelect current={current} />}
    </FormDialog>
  )
}

/** Another number of leads matches than the dialog says. */
function isOutdated(error: Error): boolean {
  return error instanceof ApiError && error.problem?.code === 'matches_changed'
}

/** A list does not send its form on Enter, as a text field does. */
function submitOnEnter(event: React.KeyboardEvent<HTMLSelectElement | HTMLTextAreaElement>) {
  if (event.key !== 'Enter') return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

function StageSelect({ current }: { current?: string | undefined }) {
  const pipeline = useQuery(pipelineQuery)
  return (
    <Field label="Stage" name="value">
      <Select key={String(pipeline.isSuccess)} defaultValue={current} onKeyDown={submitOnEnter}>
        {pipeline.data?.stages.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
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

/** The keys of the desk, then those of the whole workspace. */
function KeyList({ close }: { close: () => void }) {
  const everywhere = shell.keys.list.filter(([key]) => !deskKeys.some((known) => known.key === key))
  const rows = [...deskKeys.map(({ key, does }) => [key, does] as const), ...everywhere]
  return (
    <Dialog open onClose={close} title={shell.keys.title}>
      <dl className="grid grid-cols-1 gap-1.5 text-small">
        {rows.map(([key, does]) => (
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
