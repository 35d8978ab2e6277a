import { buttonLook } from '#app/ui/button-look.ts'
import { AccountSection } from './account-section.tsx'

/** A plain link: the server names the file, and the browser keeps it. */
export function ExportSection() {
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
