import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { centsIn, WRONG_AMOUNT } from '#app/leads/lead/written-amount.ts'
import { LEAD_BULK, LEADS_URL } from '#app/leads/lead/desk.ts'
import { addedLead, leadPeople, newLead, type NewLeadBody, peopleUrl } from '#app/leads/lead/new-lead.ts'
import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { pipelineQuery } from './use-desk.tsx'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Field } from '#app/ui/field.tsx'
import { Input, Select, Textarea } from '#app/ui/input.tsx'
import { formatDay } from '#app/ui/moment.ts'

/** The email of which the lead is made: what it says, the company that its signature names, and the address that makes the lead. */
type FromEmail = { url: string; begin: { name: string; email: string; problem: string; company: string | null } }

type NewLeadDialogProps = { from?: FromEmail; close: () => void }

/** A lead of someone who called, met us or wrote an email: added by hand, and then opened. */
export function NewLeadDialog({ from, close }: NewLeadDialogProps) {
  const form = useNewLead(from, close)
  return (
    <FormDialog form={form} onClose={close} title="New lead" submit="Add lead" pending="Adding...">
      <PersonFields begin={from?.begin} />
      <LeadFields begin={from?.begin} />
      {!from && <Acknowledgement />}
    </FormDialog>
  )
}

function Acknowledgement() {
  return (
    <label className="flex items-start gap-2.5 text-small">
      <input type="checkbox" name="acknowledge" value="yes" className="mt-0.5 size-4 accent-ink" />
      <span>
        Send the acknowledgement
        <span className="block text-fine text-muted">
          It has our reference and promises a reply, so the clocks run. Without it, the person gets no email.
        </span>
      </span>
    </label>
  )
}

type Begin = { begin: FromEmail['begin'] | undefined }

function PersonFields({ begin }: Begin) {
  const [email, setEmail] = useState(begin?.email ?? '')
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <Field label="Name" name="name">
        <Input autoComplete="off" defaultValue={begin?.name} />
      </Field>
      <Field label="Email" name="email" optional>
        <Input
          type="email"
          inputMode="email"
          autoComplete="off"
          defaultValue={begin?.email}
          onBlur={({ target }) => setEmail(target.value.trim())}
        />
      </Field>
      <KnownPerson email={email} />
      <CompanyField guess={begin?.company ?? null} />
      <Field label="Phone" name="phone" optional>
        <Input type="tel" autoComplete="off" />
      </Field>
      <Field label="Country" name="country" optional>
        <Input autoComplete="off" />
      </Field>
      <Field label="Value" name="value" optional>
        <Input inputMode="decimal" autoComplete="off" />
      </Field>
    </div>
  )
}

/** The company of a signature is offered: only a person knows whether it is the sender's. */
function CompanyField({ guess }: { guess: string | null }) {
  const [taken, setTaken] = useState('')
  const offer = guess && !taken && (
    <>
      The signature says “{guess}”.{' '}
      <button type="button" className="link" onClick={() => setTaken(guess)}>
        Use it
      </button>
    </>
  )
  return (
    <Field label="Company" name="company" optional hint={offer}>
      <Input key={taken} autoComplete="off" defaultValue={taken} />
    </Field>
  )
}

function LeadFields({ begin }: Begin) {
  const owners = useQuery(pipelineQuery).data?.owners ?? []
  return (
    <>
      <Field label="What is it about?" name="problem" {...(begin && { hint: 'The text of the email becomes the message.' })}>
        <Input autoComplete="off" most={200} defaultValue={begin?.problem} />
      </Field>
      {!begin && (
        <Field label="Details" name="message" optional>
          <Textarea rows={3} className="min-h-16!" />
        </Field>
      )}
      <Field label="Owner" name="ownerId" optional>
        <Select>
          <option value="">Me</option>
          <option value="none">No owner</option>
          {owners.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
    </>
  )
}

/** Says who already has the address: the lead becomes one more of theirs. */
function KnownPerson({ email }: { email: string }) {
  const isAddress = /.@.+\../.test(email)
  const found = useQuery({ ...apiQuery(peopleUrl({ email }), leadPeople), enabled: isAddress })
  const person = isAddress ? found.data?.people[0] : undefined
  return (
    <div role="status" className={person ? 'text-small sm:col-span-2' : 'sr-only'}>
      {person && (
        <div className="rounded-card bg-grain-wash px-3.5 py-2.5">
          <p>
            <strong className="font-semibold">{person.name}</strong> already has this address. The lead becomes one more of theirs.
          </p>
          <ul>
            {person.leads.map(({ reference, problem, createdAt }) => (
              <li key={reference} className="flex items-baseline justify-between gap-3">
                <Link to={`/leads/${reference}`} className="link min-w-0 truncate">
                  {problem}
                </Link>
                <span className="shrink-0 font-mono text-fine text-muted">{formatDay(createdAt)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

function bodyIn({ value = '', ownerId = '', acknowledge, ...given }: Record<string, string>) {
  return {
    ...given,
    // Without one, the server takes whoever adds it.
    ...(ownerId && { ownerId: ownerId === 'none' ? null : ownerId }),
    valueCents: centsIn(value),
    acknowledge: acknowledge === 'yes',
  }
}

function useNewLead(from: FromEmail | undefined, close: () => void) {
  const navigate = useNavigate()
  return useForm({
    schema: newLead,
    read: bodyIn,
    assign: ({ valueCents, ...errors }) => ({ ...errors, ...(valueCents && { value: WRONG_AMOUNT }) }),
    async send({ acknowledge, ...body }: NewLeadBody) {
      const answer = await (from ? apiRequest('POST', from.url, body) : apiRequest('POST', LEADS_URL, { ...body, acknowledge }))
      return addedLead.parse(await answer.json())
    },
    onDone({ reference }) {
      close()
      return navigate(`/leads/${reference}`)
    },
    done: (_lead, { name }) => `Lead ${name} added`,
    undo:
      ({ id }) =>
      async () => {
        await (from
          ? apiRequest('DELETE', from.url)
          : apiRequest('POST', LEAD_BULK, { choice: { ids: [id] }, change: { change: 'delete' } }))
        void navigate(from ? '/leads/inbox' : '/leads')
      },
    failed: 'Lead not added',
    touches: leadData,
  })
}
