import { AccountSection } from '#app/account/settings/account-section.tsx'
import { ORGANIZATIONS } from '#app/organizations/organization/organization.ts'
import { GUARD_NOTE } from '#app/platform/tables/formula-guard.ts'
import { buttonLook } from '#app/ui/button-look.ts'

/** A plain link: the server names the file, and the browser keeps it. */
export function AuditSection({ organizationId }: { organizationId: string }) {
  return (
    <AccountSection
      id="audit"
      title="Activity"
      intro="Changes in this organization, and requests for data and downloads, with names, in the last 12 months."
    >
      <a
        href={`${ORGANIZATIONS}/${organizationId}/audit.csv`}
        download
        title={GUARD_NOTE}
        className={buttonLook('quiet', 'regular', 'justify-self-start')}
      >
        Export as CSV
      </a>
    </AccountSection>
  )
}
