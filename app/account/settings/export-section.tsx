import { buttonLook } from '#app/ui/button-look.ts'
import { AccountSection } from './account-section.tsx'

/** A plain link: the server names the file, and the browser keeps it. */
export function ExportSection() {
  return (
    <AccountSection
      id="download"
      title="Download your data"
      intro="One file with everything that is held about you here: profile and picture, ways to sign in, devices, what happened to your account, and what you wrote to us from your confirmed address. It is JSON, which programs and people can read."
    >
      <a href="/api/account/data" download className={buttonLook('quiet', 'regular', 'justify-self-start')}>
        Download my data
      </a>
    </AccountSection>
  )
}
