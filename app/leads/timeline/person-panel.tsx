import { useState } from 'react'
import { Link } from 'react-router'
import { LEADS_URL, leadUrl } from '#app/leads/desk/desk.ts'
import { useLeadAction } from '#app/leads/desk/use-desk.tsx'
import { isPast } from '#app/leads/desk/lead-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input } from '#app/ui/input.tsx'
import { formatDay } from '#app/ui/moment.ts'
import type { LeadDetail } from './timeline.ts'

/** The person of a lead: their addresses and other leads, with merging and moving. */
export function PersonPanel({ lead: { reference, person, otherLeads } }: { lead: LeadDetail }) {
  const [asking, setAsking] = useState<'merge' | 'move'>()
  const separate = useLeadAction('Not separated')
  return (
    <section aria-labelledby="person" className="grid gap-2 text-small">
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
      {person.merged.map(({ mergeId, email, undoableUntil }) => (
        <p key={mergeId} className="flex items-center justify-between gap-3">
          <span className="wrap-anywhere">{email}</span>
          {!isPast(undoableUntil) && (
            <Button
              type="button"
              look="quiet"
              size="small"
              busy={separate.isPending}
              title={`Possible until ${formatDay(undoableUntil)}`}
              onClick={() => separate.mutate({ method: 'POST', url: `${LEADS_URL}/merges/${mergeId}/undo`, done: 'Separated' })}
            >
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
      {asking && <AddressDialog asking={asking} reference={reference} close={() => setAsking(undefined)} />}
    </section>
  )
}

const texts = {
  merge: {
    title: 'Merge people',
    submit: 'Merge',
    hint: 'The enquiries and calls from this address move to this person. You can separate them for 30 days.',
    done: 'People merged',
    failed: 'Not merged',
  },
  move: {
    title: 'Move lead',
    submit: 'Move',
    hint: 'The lead and its calls move to the person with this address.',
    done: 'Lead moved',
    failed: 'Not moved',
  },
}

function AddressDialog({ asking, reference, close }: { asking: 'merge' | 'move'; reference: string; close: () => void }) {
  const { title, submit, hint, done, failed } = texts[asking]
  const [error, setError] = useState<string>()
  const action = useLeadAction(failed, close)
  return (
    <FormDialog
      onClose={close}
      title={title}
      submit={submit}
      busy={action.isPending}
      onSubmit={({ email = '' }) => {
        if (!/.@./.test(email)) return setError('Enter an email address')
        action.mutate({ method: 'POST', url: `${leadUrl(reference)}/${asking}`, body: { email: email.trim() }, done })
      }}
    >
      <Field label="Email" name="email" error={error} hint={hint}>
        <Input type="email" inputMode="email" autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
