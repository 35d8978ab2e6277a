import { useState } from 'react'
import { Link } from 'react-router'
import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { leadUrl } from '#app/leads/lead/desk.ts'
import { useLeadAction } from '#app/leads/list/use-desk.tsx'
import { isPast } from '#app/leads/lead/lead-format.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { type LeadDetail, MERGE_UNDO_DAYS, mergedPeople, personBody } from './timeline.ts'

const mergeUndoUrl = (id: string) => `/api/lead-merges/${id}/undo`

/** The person of a lead: their addresses and other leads, with merging and moving. */
export function PersonPanel({ lead: { reference, person, otherLeads } }: { lead: LeadDetail }) {
  const [asking, setAsking] = useState<'merge' | 'move'>()
  const [separating, setSeparating] = useState<Merged>()
  return (
    <section aria-labelledby="person" className="grid grid-cols-1 gap-2 text-small">
      <h2 id="person" className="text-h3">
        Person
      </h2>
      <p>
        {person.name} <span className="text-muted wrap-anywhere">{person.email}</span>
      </p>
      {person.bouncedAt && (
        <p className="text-alarm">
          This address rejected an email on {formatDay(person.bouncedAt)}
          {person.bounceReason ? `: ${person.bounceReason}` : '.'}
        </p>
      )}
      {person.accountSince && <p className="text-muted">Account since {formatDay(person.accountSince)}</p>}
      {person.merged.map((merged) => (
        <p key={merged.mergeId} className="flex items-center justify-between gap-3">
          <span className="wrap-anywhere">{merged.email}</span>
          {!isPast(merged.undoableUntil) && (
            <Button type="button" look="quiet" size="small" aria-label={`Separate ${merged.email}`} onClick={() => setSeparating(merged)}>
              Separate
            </Button>
          )}
        </p>
      ))}
      {otherLeads.length > 0 && (
        <ul aria-label="Other leads of this person" className="divide-y divide-line">
          {otherLeads.map((other) => (
            <li key={other.id} className="flex items-baseline justify-between gap-3 py-1.5">
              <Link to={`/leads/${other.reference}`} className="link min-w-0 truncate">
                {other.problem}
              </Link>
              <time dateTime={other.createdAt} className="shrink-0 font-mono text-fine text-muted">
                {formatDay(other.createdAt)}
              </time>
            </li>
          ))}
        </ul>
      )}
      <span className="flex flex-wrap gap-2">
        <Button type="button" look="quiet" size="small" onClick={() => setAsking('merge')}>
          Merge people
        </Button>
        <Button type="button" look="quiet" size="small" onClick={() => setAsking('move')}>
          Move lead
        </Button>
      </span>
      {asking && <AddressDialog asking={asking} reference={reference} name={person.name} close={() => setAsking(undefined)} />}
      {separating && <SeparateDialog merged={separating} close={() => setSeparating(undefined)} />}
    </section>
  )
}

const texts = {
  merge: {
    title: 'Merge people',
    submit: 'Merge',
    hint: (name: string) => `The enquiries and calls from this address move to ${name}. You can separate them for ${MERGE_UNDO_DAYS} days.`,
    done: 'People merged',
  },
  move: {
    title: 'Move lead',
    submit: 'Move',
    hint: () => 'The lead and its calls move to the person with this address. A new address becomes a new person.',
    done: 'Lead moved',
  },
}

type AddressDialogProps = { asking: 'merge' | 'move'; reference: string; name: string; close: () => void }

/** Asks for the address of the other person: sending it confirms the change, and the toast undoes it. */
function AddressDialog({ asking, reference, name, close }: AddressDialogProps) {
  const { title, submit, hint, done } = texts[asking]
  const send = async (body: { email: string }): Promise<unknown> =>
    (await apiRequest('POST', `${leadUrl(reference)}/${asking}`, body)).json()
  const form = useForm({
    schema: personBody,
    send,
    explain: ({ detail }) => ({ email: detail }),
    done,
    undo: (reply) =>
      asking === 'merge'
        ? async () => apiRequest('POST', mergeUndoUrl(mergedPeople.parse(reply).id))
        : async () => send(personBody.parse(reply)),
    failed: asking === 'merge' ? 'People not merged' : 'Lead not moved',
    touches: leadData,
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={title} submit={submit}>
      <Field label="Email" name="email" hint={hint(name)}>
        <Input type="email" inputMode="email" autoComplete="off" />
      </Field>
    </FormDialog>
  )
}

type Merged = LeadDetail['person']['merged'][number]

function SeparateDialog({ merged: { mergeId, email, undoableUntil }, close }: { merged: Merged; close: () => void }) {
  const separate = useLeadAction('Not separated', close)
  return (
    <ConfirmDialog
      open
      onClose={close}
      onConfirm={() => separate.mutate({ method: 'POST', url: mergeUndoUrl(mergeId), done: 'Separated' })}
      title={`Separate ${email}?`}
      confirm="Separate"
      look="primary"
      busy={separate.isPending}
    >
      <p>
        The enquiries and calls from this address become those of another person again. This is possible until {formatDay(undoableUntil)}.
      </p>
    </ConfirmDialog>
  )
}
