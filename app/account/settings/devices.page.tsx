import { allow } from '#app/access.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import type { Route } from './+types/devices.page.ts'
import { DevicesSection } from './devices-section.tsx'
import { accountHead } from './page-title.ts'

export async function loader({ context }: Route.LoaderArgs) {
  await allow(requestContextOf(context), 'workspace.enter')
  return null
}

export const meta = () => accountHead('Devices')

export default DevicesSection
