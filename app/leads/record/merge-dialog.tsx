import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { leadUrl } from '#app/leads/lead/desk.ts'
import { type LeadPerson, leadPeople, peopleUrl } from '#app/leads/lead/new-lead.ts'
import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { MERGE_UNDO_DAYS, mergedPeople, otherPerson } from './timeline.ts'

/** Milliseconds between the last key and the request. */
const TYPING_PAUSE = 150

type Kept = { id: string; name: string; email: string }
type MergeDialogProps = {
  /** A lead of the person who stays. */
  reference: string
  kept: Kept
  /** The other person, where they are known already. Without one, they are searched for. */
  other?: LeadPerson
  close: () => void
}

/** Merges another person into one, and says beforehand what moves. */
export function MergeDialog({ reference, kept, other, close }: MergeDialogProps) {
  const [chosen, setChosen] = useState(other)
  const form = useForm({
    schema: otherPerson,
    read: () => chosen && (chosen.email ? { email: chosen.email } : { personId: chosen.id }),
    send: async (body) => mergedPeople.parse(await (await apiRequest('POST', `${leadUrl(reference)}/merge`, body)).json()),
    explain: ({ detail }) => ({ person: detail }),
    done: 'People merged',
    undo:
      ({ id }) =>
      async () =>
        apiRequest('POST', `/api/lead-merges/${id}/undo`),
    failed: 'People not merged',
    touches: leadData,
    onDone: close,
  })
  return (
    <FormDialog
      // A search is nothing to lose.
      form={{ ...form, isChanged: false }}
      onClose={close}
      title="Merge people"
      submit="Merge"
      pending="Merging..."
      unavailable={chosen ? undefined : 'Choose a person first.'}
    >
      {!other && <PersonPicker keptId={kept.id} chosen={chosen} choose={setChosen} />}
      {chosen && <Outcome kept={kept} other={chosen} />}
    </FormDialog>
  )
}

function Outcome({ kept, other }: { kept: Kept; other: LeadPerson }) {
  return (
    <div className="grid gap-1 rounded-card bg-sunken px-3.5 py-2.5 text-small">
      <p>
        All leads and calls of <PersonText person={other} /> move to <PersonText person={kept} />, also those that come later.
      </p>
      <ul className="list-disc pl-5 text-muted">
        {other.leads.map(({ reference, problem }) => (
          <li key={reference} className="wrap-anywhere">
            {problem}
          </li>
        ))}
      </ul>
      <p>You can separate them again for {MERGE_UNDO_DAYS} days.</p>
    </div>
  )
}

function PersonText({ person: { name, email } }: { person: Kept }) {
  return (
    <>
      <strong className="font-semibold">{name}</strong> <span className="wrap-anywhere text-muted">({email || 'no email address'})</span>
    </>
  )
}

type PersonPickerProps = { keptId: string; chosen: LeadPerson | undefined; choose: (person: LeadPerson | undefined) => void }

/** A search for a person, with what it finds to choose from. */
function PersonPicker({ keptId, chosen, choose }: PersonPickerProps) {
  const [typed, setTyped] = useState('')
  const q = useSettled(typed.trim())
  const found = useQuery({ ...apiQuery(peopleUrl({ q }), leadPeople), enabled: q !== '', placeholderData: keepPreviousData })
  const people = q === '' ? [] : (found.data?.people ?? []).filter(({ id }) => id !== keptId)
  return (
    <>
      <Field label="Person" name="person" hint="Search by name, address or company.">
        <Input
          type="search"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            choose(undefined)
          }}
        />
      </Field>
      {people.length > 0 && (
        <fieldset className="grid max-h-60 gap-0.5 overflow-y-auto">
          <legend className="sr-only">People</legend>
          {people.map((person) => (
            <label
              key={person.id}
              className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-control px-2 py-1 text-small hover:bg-sunken has-checked:bg-grain-wash pointer-coarse:min-h-11"
            >
              <input
                type="radio"
                name="chosen"
                checked={chosen?.id === person.id}
                onChange={() => choose(person)}
                className="size-4 shrink-0 accent-ink"
              />
              <span className="min-w-0">
                <span className="font-medium">{person.name}</span>{' '}
                <span className="wrap-anywhere text-muted">{[person.email, person.company].filter(Boolean).join(' · ')}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <p role="status" className="text-small text-muted">
        {found.isError && 'The search did not work. Please try again.'}
        {q !== '' && found.isSuccess && !found.isPlaceholderData && people.length === 0 && 'Nobody found.'}
      </p>
    </>
  )
}

/** A text that has stood still for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
