import type { Handle } from '#app/access.server.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { AccountState } from './account-state.tsx'
import { DeletionSection } from './deletion-section.tsx'
import { accountHead } from './page-title.ts'
import { AccountSection } from './account-section.tsx'

export const handle = { access: 'workspace.enter' } satisfies Handle

export const meta = () => accountHead('Your data')

export default function DataPage() {
  return (
    <AccountState>
      {(account) => (
        <>
          <ExportSection />
          <DeletionSection account={account} />
        </>
      )}
    </AccountState>
  )
}

/** A plain link: the server names the file, and the browser keeps it. */
function ExportSection() {
  return (
    <AccountSection
      id="download"
      title="Download your data"
      intro="One JSON file with your profile and picture, sign-in methods, devices and account activity. It also has your enquiries from your confirmed address."
    >
      <a href="/api/account/data" download className={buttonLook('quiet', 'regular', 'justify-self-start')}>
        Download my data
      </a>
    </AccountSection>
  )
}
