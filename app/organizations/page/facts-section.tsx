import { FactsCard } from '#app/organizations/organization/facts-card.tsx'
import { ORGANIZATIONS, type Organization, ownFactNames } from '#app/organizations/organization/organization.ts'

/** Name, address and tax facts: admins change them, others read them. A personal organization has a fixed name. */
export function FactsSection({ organization, mayManage }: { organization: Organization; mayManage: boolean }) {
  const { id, isPersonal } = organization
  const intro = isPersonal
    ? 'Invoices for what you order as “Personal” are addressed to these details.'
    : mayManage
      ? 'Invoices and proposals are addressed to this company.'
      : 'Only admins can change this.'
  const names = ownFactNames.filter((name) => !isPersonal || name !== 'name')
  const saving = mayManage ? { saving: { url: `${ORGANIZATIONS}/${id}`, touches: [ORGANIZATIONS] } } : {}
  return <FactsCard facts={organization} names={names} intro={intro} {...saving} />
}
