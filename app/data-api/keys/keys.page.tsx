import type { Handle } from '#app/access.server.ts'
import { accountHead } from '#app/account/settings/page-title.ts'
import { KeysSection } from './keys-section.tsx'

export const handle = { access: 'workspace.enter' } satisfies Handle

export const meta = () => accountHead('API keys')

export default KeysSection
