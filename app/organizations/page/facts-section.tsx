import { AccountSection } from '#app/account/settings/account-section.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { Form } from '#app/ui/admin/form.tsx'
import { cx } from '#app/ui/class-names.ts'
import { formatDay } from '#app/ui/moment.ts'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { FactFields, readFacts, shownFacts } from '#app/organizations/organization/fact-fields.tsx'
import { ORGANIZATIONS, type Organization, organizationChange, ownFactNames } from '#app/organizations/organization/organization.ts'

/** Name, address and tax facts: admins change them, others read them. */
export function FactsSection({ organization, mayManage }: { organization: Organization; mayManage: boolean }) {
  const intro = organization.isPersonal
    ? 'Invoices for what you order as “Personal” are addressed to it.'
    : mayManage
      ? 'Invoices and proposals are addressed to it.'
      : 'Only admins can change this.'
  return (
    <AccountSection id="facts" title="Details" intro={intro}>
      {mayManage ? <FactsForm organization={organization} /> : <FactList organization={organization} />}
    </AccountSection>
  )
}

/** A personal organization has a fixed name. */
const factNamesOf = ({ isPersonal }: Pick<Organization, 'isPersonal'>) => ownFactNames.filter((name) => !isPersonal || name !== 'name')

/** What the register of the EU says about the VAT number. */
export function VatState({ organization }: { organization: Pick<Organization, 'vatNumber' | 'vatState' | 'vatCheckedAt'> }) {
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

function FactsForm({ organization: { id, version, ...known } }: { organization: Organization }) {
  const names = factNamesOf(known)
  const form = useForm({
    schema: organizationChange,
    read: (texts, given) => ({ ...readFacts(names, texts, given), version }),
    send: async (body) => apiRequest('PATCH', `${ORGANIZATIONS}/${id}`, body),
    done: 'Details saved',
    failed: 'Not saved',
    touches: [ORGANIZATIONS],
  })
  return (
    // Another version has other values: what someone else saved is shown, not overwritten.
    <Form key={version} form={form} className="grid gap-5">
      <VatState organization={known} />
      <FactFields names={names} known={known} />
      <SubmitButton className="justify-self-start">Save</SubmitButton>
    </Form>
  )
}

function FactList({ organization }: { organization: Organization }) {
  return (
    <dl className="grid gap-x-6 gap-y-2 text-small sm:grid-cols-[12rem_1fr]">
      {shownFacts(ownFactNames, organization).map(({ label, text }) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="whitespace-pre-line wrap-anywhere">{text || '-'}</dd>
        </div>
      ))}
    </dl>
  )
}
