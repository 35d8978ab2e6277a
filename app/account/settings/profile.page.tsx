import { allow } from '#app/access.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import type { Route } from './+types/profile.page.ts'
import { AccountState } from './account-state.tsx'
import { EmailSection } from './email-section.tsx'
import { NameSection } from './name-section.tsx'
import { accountHead } from './page-title.ts'
import { PictureSection } from './picture-section.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  await allow(requestContextOf(context), 'workspace.enter')
  return null
}

export const meta = () => accountHead('Profile')

export default function ProfilePage() {
  return (
    <AccountState>
      {(account) => (
        <>
          <PictureSection account={account} />
          <NameSection account={account} />
          <EmailSection account={account} />
        </>
      )}
    </AccountState>
  )
}
