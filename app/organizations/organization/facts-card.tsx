import { useState } from 'react'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { cx } from '#app/ui/class-names.ts'
import { formatDay } from '#app/ui/moment.ts'
import { FactFields, type Known, readFacts, shownFacts } from './fact-fields.tsx'
import { type Organization, type OrganizationFact, staffOrganizationChange } from './organization.ts'

type Facts = Known & Pick<Organization, 'version' | 'vatNumber' | 'vatState' | 'vatCheckedAt'>

/** Where the facts are saved, and which data to load again. */
type Saving = { url: string; touches: string[] }

type FactsCardProps = {
  facts: Facts
  names: readonly OrganizationFact[]
  intro?: string
  /** Missing: they can only be read. */ saving?: Saving
}

/** Name, address and tax facts: those that are known, and a form for all of them. */
export function FactsCard({ facts, names, intro, saving }: FactsCardProps) {
  const [isEditing, setEditing] = useState(false)
  const shown = shownFacts(names, facts)
  return (
    <AccountSection id="facts" title="Details" intro={intro}>
      <VatState organization={facts} />
      {shown.length === 0 && <p className="text-small text-muted">No details yet.</p>}
      {shown.length > 0 && (
        <dl className="grid gap-x-6 gap-y-2 text-small sm:grid-cols-[12rem_1fr]">
          {shown.map(({ label, text }) => (
            <div key={label} className="grid gap-0.5 sm:contents">
              <dt className="text-muted">{label}</dt>
              <dd className="whitespace-pre-line wrap-anywhere">{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {saving && (
        <Button type="button" look="quiet" className="justify-self-start" onClick={() => setEditing(true)}>
          Edit details
        </Button>
      )}
      {saving && isEditing && <FactsDialog facts={facts} names={names} saving={saving} close={() => setEditing(false)} />}
    </AccountSection>
  )
}

/** The last check of the VAT number at VIES. */
function VatState({ organization }: { organization: Facts }) {
  const { vatNumber, vatState, vatCheckedAt } = organization
  if (!vatNumber) return null
  const on = vatCheckedAt ? ` on ${formatDay(vatCheckedAt)}` : ''
  const sentences = {
    valid: `The VAT number ${vatNumber} was confirmed${on}.`,
    invalid: `The VAT number ${vatNumber} is not valid${on && `, as of the check${on}`}. Please correct it.`,
    not_checked: `The VAT number ${vatNumber} has not been checked yet.`,
  }
  return <p className={cx('text-small', vatState === 'invalid' ? 'font-medium text-alarm' : 'text-muted')}>{sentences[vatState]}</p>
}

type FactsDialogProps = Required<Omit<FactsCardProps, 'intro'>> & { close: () => void }

function FactsDialog({ facts, names, saving, close }: FactsDialogProps) {
  const form = useForm({
    schema: staffOrganizationChange,
    read: (texts, given) => ({ ...readFacts(names, texts, given), version: facts.version }),
    send: async (body) => apiRequest('PATCH', saving.url, body),
    done: 'Details saved',
    failed: 'Not saved',
    touches: saving.touches,
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title="Edit details" submit="Save">
      <FactFields names={names} known={facts} />
    </FormDialog>
  )
}
