import { allow } from '#app/access.server.ts'
import { accountHead } from '#app/account/settings/page-title.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import type { Route } from './+types/keys.page.ts'
import { KeysSection } from './keys-section.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  await allow(requestContextOf(context), 'workspace.enter')
  return null
}

export const meta = () => accountHead('API keys')

export default KeysSection
