import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { leadUrl } from '#app/leads/lead/desk.ts'
import { useLeadAction } from '#app/leads/list/use-desk.tsx'
import { isPast } from '#app/leads/lead/lead-format.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { duplicatesUrl, possibleDuplicates } from '#app/leads/lead/duplicate.ts'
import { DuplicateList } from './duplicate-list.tsx'
import { OtherLeads } from './lead-record.tsx'
import { PersonOrganizationPanel } from './person-organization.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { type LeadDetail, personBody } from './timeline.ts'

const mergeUndoUrl = (id: string) => `/api/lead-merges/${id}/undo`

/** The person of a lead: their addresses and other leads, with merging and moving. */
export function PersonPanel({ lead: { id, reference, person, otherLeads } }: { lead: LeadDetail }) {
  const [asking, setAsking] = useState<'merge' | 'move'>()
  const [separating, setSeparating] = useState<Merged>()
  return (
    <section aria-labelledby="person" className="grid grid-cols-1 gap-2 text-small">
      <h2 id="person" className="text-h3">
        Person
      </h2>
      <p>
        {person.name} <span className="text-muted wrap-anywhere">{person.email || 'No email address'}</span>
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
      <OtherLeads leads={otherLeads} />
      <PersonOrganizationPanel leadId={id} />
      <span className="flex flex-wrap gap-2">
        <Button type="button" look="quiet" size="small" onClick={() => setAsking('merge')}>
          Merge people
        </Button>
        <Button type="button" look="quiet" size="small" onClick={() => setAsking('move')}>
          {person.email ? 'Move lead' : 'Add email address'}
        </Button>
      </span>
      <Duplicates reference={reference} />
      {asking === 'merge' && <MergeDialog reference={reference} kept={person} close={() => setAsking(undefined)} />}
      {asking === 'move' && <MoveDialog reference={reference} isFirst={!person.email} close={() => setAsking(undefined)} />}
      {separating && <SeparateDialog merged={separating} close={() => setSeparating(undefined)} />}
    </section>
  )
}

/** Who else may be this person. */
function Duplicates({ reference }: { reference: string }) {
  const pairs = useQuery(apiQuery(duplicatesUrl(reference), possibleDuplicates)).data?.pairs ?? []
  if (pairs.length === 0) return null
  return (
    <div className="grid grid-cols-1 gap-2">
      <h3 className="text-small font-semibold">May be the same person</h3>
      <DuplicateList label="Possible duplicates" pairs={pairs} />
    </div>
  )
}

/** Asks for the address of the other person: sending it confirms the change, and the toast undoes it. */
function MoveDialog({ reference, isFirst, close }: { reference: string; isFirst: boolean; close: () => void }) {
  const send = async (body: { email: string }): Promise<unknown> => (await apiRequest('POST', `${leadUrl(reference)}/move`, body)).json()
  const form = useForm({
    schema: personBody,
    send,
    explain: ({ detail }) => ({ email: detail }),
    done: isFirst ? 'Email address added' : 'Lead moved',
    undo(reply) {
      const before = personBody.safeParse(reply)
      return before.success ? async () => send(before.data) : undefined
    },
    failed: isFirst ? 'Email address not added' : 'Lead not moved',
    touches: leadData,
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title={isFirst ? 'Add email address' : 'Move lead'} submit={isFirst ? 'Add' : 'Move'}>
      <Field
        label="Email"
        name="email"
        hint={
          isFirst
            ? 'If someone has this address already, the lead becomes one more of theirs.'
            : 'The lead and its calls move to the person with this address. A new address becomes a new person.'
        }
      >
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
